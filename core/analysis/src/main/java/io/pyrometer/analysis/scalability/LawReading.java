package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import java.util.Optional;

/** Reads N*, the knee and the hop from a fit of the law. */
final class LawReading {
  private LawReading() {}

  /**
   * Empty too where the law turns beyond four times the measured range, of which nothing is said,
   * or beyond the range at all if there are too few points to extrapolate from.
   */
  static Optional<Peak> peak(LawFit law, FitOptions options, double largest) {
    Parameter kappa = law.parameter("κ");
    if (law.value("σ") >= 1 || kappa.estimate().low() <= 0) {
      return Optional.empty();
    }
    double[] theta = law.theta();
    double c = options.confidence();
    boolean few = law.points().size() < Scalability.ENOUGH_TO_EXTRAPOLATE;
    if (peakN(theta) > (few ? 1 : Scalability.FARTHEST) * largest) {
      return Optional.empty();
    }
    Estimate n = law.uncertainty().of(LawReading::peakN, theta, c, options.what());
    Estimate knee = law.uncertainty().of(LawReading::kneeN, theta, c, options.what());
    return Optional.of(
        new Peak(
            n,
            law.throughputInterval(n.value(), c, options.unit()),
            knee,
            law.throughputInterval(knee.value(), c, options.unit())));
  }

  private static double peakN(double[] theta) {
    return Math.sqrt((1 - theta[0]) / theta[1]);
  }

  private static double kneeN(double[] theta) {
    double b = theta[0] - theta[1];
    double root = Math.sqrt(b * b + 12 * theta[1] * (1 - theta[0]));
    return (root - b) / (6 * theta[1]);
  }

  static Optional<RemoteAccessCost> hop(LawFit law, FitOptions options) {
    Estimate sigma = law.parameter("σ").estimate();
    if (sigma.value() <= 1) {
      return Optional.empty();
    }
    Estimate h =
        new Estimate(
            sigma.value() - 1,
            sigma.low() - 1,
            sigma.high() - 1,
            sigma.confidence(),
            sigma.replicates(),
            "");
    Estimate lambda = law.parameters().get(0).estimate();
    double least = Math.max(lambda.low(), 1e-9 * lambda.value());
    Estimate base =
        new Estimate(
            1 / lambda.value(),
            1 / lambda.high(),
            1 / least,
            options.confidence(),
            lambda.replicates(),
            "");
    return Optional.of(new RemoteAccessCost(h, law.parameter("κ").estimate(), base));
  }
}
