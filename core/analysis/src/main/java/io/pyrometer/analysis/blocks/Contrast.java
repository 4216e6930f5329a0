package io.pyrometer.analysis.blocks;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;

/**
 * An estimate of a linear combination of effects, with its standard error.
 *
 * @param value on the scale of the model
 * @param standardError of the value; 0 only where the model leaves nothing at all
 * @param degreesOfFreedom of the standard error, above 0
 */
public record Contrast(double value, double standardError, double degreesOfFreedom) {
  /** Stands for a t of no error at all, or the quantile of one of no freedom: large, and finite. */
  private static final double LARGEST_T = 1e150;

  /** The contrast of the mean of at least two independent values. */
  public static Contrast ofMean(double[] values) {
    int n = values.length;
    return new Contrast(Samples.mean(values), Math.sqrt(Samples.variance(values) / n), n - 1.0);
  }

  /**
   * A value whose variance is a sum of independent estimates, with the degrees of freedom of Welch
   * and Satterthwaite: (Σv)²/Σ(v²/df).
   */
  public static Contrast ofSum(double value, double[] variances, double[] degreesOfFreedom) {
    double variance = 0;
    double squares = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < variances.length; i++) {
      variance += variances[i];
      squares += variances[i] * variances[i] / degreesOfFreedom[i];
      least = Math.min(least, degreesOfFreedom[i]);
    }
    return new Contrast(
        value, Math.sqrt(variance), squares > 0 ? variance * variance / squares : least);
  }

  /** The value with a standard error so many times as large. */
  public Contrast widened(double factor) {
    return new Contrast(value, standardError * factor, degreesOfFreedom);
  }

  /** The value over its standard error. */
  public double t() {
    if (standardError > 0) {
      return Math.max(-LARGEST_T, Math.min(LARGEST_T, value / standardError));
    }
    return value == 0 ? 0 : Math.copySign(LARGEST_T, value);
  }

  /** Two-sided, that the combination is 0. */
  public double p() {
    return StudentT.twoSidedP(t(), degreesOfFreedom);
  }

  /** One-sided: the probability of a t as small or smaller if the combination were {@code null}. */
  public double pLower(double nullValue) {
    return StudentT.below(
        new Contrast(value - nullValue, standardError, degreesOfFreedom).t(), degreesOfFreedom);
  }

  /** Half the width of the interval; finite, however few degrees of freedom there are. */
  public double halfWidth(double confidence) {
    return Math.min(StudentT.twoSided(confidence, degreesOfFreedom), LARGEST_T) * standardError;
  }

  /** With its interval, on the scale of the model. */
  public Estimate estimate(double confidence, int replicates, String unit) {
    double half = halfWidth(confidence);
    return new Estimate(value, value - half, value + half, confidence, replicates, unit);
  }
}
