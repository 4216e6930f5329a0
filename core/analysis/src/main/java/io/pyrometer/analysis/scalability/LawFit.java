package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One model fitted to the points.
 *
 * @param parameters λ first, then those of {@link Model#shapeParameters()}
 * @param rss the residual sum of squares, on the scale of the fit
 * @param residualSd √(RSS/(n−p)): on the logarithmic scale the coefficient of variation
 * @param r2 the share of the throughput's variation explained, on the scale of the fit
 * @param aicc n ln(RSS/n)+2K+2K(K+1)/(n−K−1), K = p+1; empty where n is too small for it
 * @param condition the condition number of the Jacobian with columns of length 1: over 100 the
 *     points cannot tell the parameters apart
 * @param points each measured point with its fit
 * @param earliestPeak of the scalability law, the least N* that the interval of κ allows; empty of
 *     other models, or where κ allows none
 */
public record LawFit(
    Model model,
    FitScale scale,
    List<Parameter> parameters,
    double rss,
    int degreesOfFreedom,
    double residualSd,
    double r2,
    OptionalDouble aicc,
    double condition,
    List<FittedPoint> points,
    OptionalDouble earliestPeak,
    Uncertainty uncertainty) {

  /** Copies the lists. */
  public LawFit {
    parameters = List.copyOf(parameters);
    points = List.copyOf(points);
  }

  /** A parameter by its name in the model's formula. */
  public Parameter parameter(String name) {
    return parameters.stream()
        .filter(parameter -> parameter.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> BadDataException.of("The %s model has no parameter %s.", model.label(), name));
  }

  /** The fitted value of a parameter. */
  public double value(String name) {
    return parameter(name).estimate().value();
  }

  /** λ. */
  public double lambda() {
    return parameters.get(0).estimate().value();
  }

  /** The throughput that the model gives at {@code n}; never below 0. */
  public double throughput(double n) {
    double[] theta = theta();
    double g = model.at(n, theta, new double[theta.length]);
    return g > 0 ? lambda() * g : 0;
  }

  /** The same with the interval of the curve (not of a single run) by the delta method on ln X. */
  public Estimate throughputInterval(double n, double confidence, String unit) {
    return uncertainty.curve(this, n, confidence, unit);
  }

  /** The same beyond the measured range, by profile likelihood. */
  Estimate throughputBeyond(double n, double confidence, String unit) {
    return uncertainty.beyond(this, n, confidence, unit);
  }

  double[] theta() {
    return parameters.stream().skip(1).mapToDouble(p -> p.estimate().value()).toArray();
  }
}
