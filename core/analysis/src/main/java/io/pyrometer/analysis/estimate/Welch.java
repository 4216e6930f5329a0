package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.Samples;

/**
 * Welch's two-sample t: the standard error of mean(b) − mean(a) and the Welch–Satterthwaite degrees
 * of freedom, for at least two values each.
 */
public record Welch(double standardError, double degreesOfFreedom, double t) {

  /** Judges mean(b) − mean(a). */
  public static Welch of(double[] a, double[] b) {
    double va = Samples.variance(a) / a.length;
    double vb = Samples.variance(b) / b.length;
    double sum = va + vb;
    double difference = Samples.mean(b) - Samples.mean(a);
    if (sum == 0) {
      double t = difference == 0 ? 0 : Math.copySign(1e150, difference);
      return new Welch(0, a.length + b.length - 2.0, t);
    }
    double shareA = va / sum;
    double shareB = vb / sum;
    double df = 1 / (shareA * shareA / (a.length - 1) + shareB * shareB / (b.length - 1));
    return new Welch(Math.sqrt(sum), df, difference / Math.sqrt(sum));
  }

  /** The two-sided probability of so large a t if the means were equal. */
  public double p() {
    return StudentT.twoSidedP(t, degreesOfFreedom);
  }
}
