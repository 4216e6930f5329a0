package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Fits one model, with its intervals. */
final class LawFitter {
  private final List<ScalePoint> points;
  private final FitOptions options;
  private final double[][] at;
  private final double[] throughputs;
  private final Blocks blocks;

  LawFitter(List<ScalePoint> points, FitOptions options) {
    this(points, options, Blocks.of(points, options.scale()));
  }

  /** Makes it with what is known of the points' blocks. */
  LawFitter(List<ScalePoint> points, FitOptions options, Blocks blocks) {
    this.points = points;
    this.options = options;
    this.at = points.stream().map(p -> new double[] {p.n()}).toArray(double[][]::new);
    this.blocks = blocks;
    this.throughputs = points.stream().mapToDouble(ScalePoint::throughput).toArray();
  }

  /** The effects of blocks on the points. */
  Blocks blocks() {
    return blocks;
  }

  /** Whether there are more points, and as many different N, as the model has parameters. */
  boolean canFit(Model model) {
    long distinct = points.stream().mapToDouble(ScalePoint::n).distinct().count();
    return points.size() > model.parameters() && distinct >= model.parameters();
  }

  LawFit fit(Model model) {
    if (!canFit(model)) {
      throw BadDataException.of(
          "The %s has %d parameters, so it needs more than %d points at %d or more different N; add"
              + " levels.",
          model.label(), model.parameters(), model.parameters(), model.parameters());
    }
    CurveFit fit = new CurveFit.Fitter(model, at, throughputs, options, blocks).fit(model.label());
    return new LawFit(
        model,
        options.scale(),
        fit.parameters(),
        fit.rss(),
        fit.degreesOfFreedom(),
        Math.sqrt(fit.rss() / fit.degreesOfFreedom()),
        r2(fit.rss()),
        aicc(fit.rss(), model.parameters()),
        fit.condition(),
        fitted(model, fit),
        earliestPeak(model, fit),
        fit.uncertainty());
  }

  /** N* where κ is as large as its interval allows. */
  private static OptionalDouble earliestPeak(Model model, CurveFit fit) {
    if (model != Model.UNIVERSAL || fit.parameters().get(2).openHigh()) {
      return OptionalDouble.empty();
    }
    double[] theta = fit.thetaAtHighEnds().get(2);
    double kappa = fit.parameters().get(2).estimate().high();
    return kappa > 0 && theta[0] < 1
        ? OptionalDouble.of(Math.sqrt((1 - theta[0]) / kappa))
        : OptionalDouble.empty();
  }

  private OptionalDouble aicc(double rss, int parameters) {
    int n = points.size();
    int k = parameters + 1;
    if (n - k - 1 <= 0) {
      return OptionalDouble.empty();
    }
    // A perfect fit would have ln 0; rounding alone leaves about this much.
    double least = 1e-24 * n * scaleOfY();
    double aic = n * Math.log(Math.max(rss, least) / n) + 2.0 * k;
    return OptionalDouble.of(aic + 2.0 * k * (k + 1) / (n - k - 1));
  }

  private double scaleOfY() {
    return options.scale() == FitScale.LOG
        ? 1
        : Arrays.stream(throughputs).map(x -> x * x).average().orElseThrow();
  }

  private double r2(double rss) {
    double[] y = options.scale() == FitScale.LOG ? Samples.ln(throughputs) : throughputs;
    double total = Samples.sumOfSquares(y);
    return total > 0 ? 1 - rss / total : 0;
  }

  private List<FittedPoint> fitted(Model model, CurveFit fit) {
    List<FittedPoint> fitted = new ArrayList<>();
    for (int i = 0; i < at.length; i++) {
      double x = fit.lambda() * model.value(at[i], fit.theta(), new double[fit.theta().length]);
      double residual =
          options.scale() == FitScale.LOG ? Math.log(throughputs[i] / x) : throughputs[i] - x;
      fitted.add(new FittedPoint(at[i][0], throughputs[i], x, residual, fit.left()[i]));
    }
    return fitted;
  }
}
