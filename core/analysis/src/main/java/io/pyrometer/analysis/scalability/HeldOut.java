package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.List;
import java.util.Optional;

/**
 * A test of the prediction: the models are fitted without the largest number, and their prediction
 * is compared with the value measured there.
 *
 * @param n the largest measured number
 * @param predicted from the others: the interval that the measured mean falls into, over all models
 *     that they do not rule out
 * @param measured the geometric mean at {@code n} with its own interval
 */
public record HeldOut(double n, Estimate predicted, Estimate measured, Outcome outcome) {

  /** Position of the measured mean relative to the prediction. */
  public enum Outcome {
    /** The measured mean lies within the predicted interval. */
    WITHIN,
    /** It does not, but its own interval overlaps the predicted one. */
    TOUCHING,
    /** The two are apart. */
    OUTSIDE;

    private static Outcome of(Estimate predicted, Estimate measured) {
      if (predicted.contains(measured.value())) {
        return WITHIN;
      }
      boolean apart = measured.high() < predicted.low() || measured.low() > predicted.high();
      return apart ? OUTSIDE : TOUCHING;
    }
  }

  /**
   * Makes the check; empty if what is left without the largest number cannot be fitted, or lies too
   * far below it.
   */
  public static Optional<HeldOut> of(List<ScalePoint> points, AnalysisOptions options) {
    double n = points.stream().mapToDouble(ScalePoint::n).max().orElse(0);
    List<ScalePoint> rest = points.stream().filter(p -> p.n() < n).toList();
    double[] there =
        points.stream().filter(p -> p.n() == n).mapToDouble(ScalePoint::throughput).toArray();
    try {
      Estimate predicted = forMeasuring(Scalability.of(rest, options), n, there.length);
      Estimate measured = Means.geometric(there, options.unit());
      Outcome outcome = Outcome.of(predicted, measured);
      return Optional.of(new HeldOut(n, predicted, measured, outcome));
    } catch (BadDataException tooFew) {
      return Optional.empty();
    }
  }

  /**
   * The interval that a measured mean falls into: that of the curve, widened by the noise of so
   * many values. The curve's own interval would have most means miss it, however right the models
   * are.
   */
  private static Estimate forMeasuring(Scalability found, double n, int values) {
    Estimate x = found.at(n).throughput();
    LawFit fit = found.chosen();
    double spread =
        found.options().scale() == ResponseScale.LN
            ? fit.residualSd()
            : fit.residualSd() / Math.max(x.value(), fit.residualSd());
    double t = StudentT.twoSided(Estimate.CONFIDENCE, fit.degreesOfFreedom());
    double noise = t * spread / Math.sqrt(values);
    return new Estimate(
        x.value(),
        x.low() > 0 ? x.value() * Math.exp(-Math.hypot(Math.log(x.value() / x.low()), noise)) : 0,
        x.value() > 0
            ? x.value() * Math.exp(Math.hypot(Math.log(x.high() / x.value()), noise))
            : x.high() * Math.exp(noise),
        x.confidence(),
        x.replicates(),
        x.unit());
  }
}
