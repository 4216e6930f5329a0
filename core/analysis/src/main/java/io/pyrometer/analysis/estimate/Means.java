package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;

/**
 * Estimates of a treatment's value from its replicates' means by Student's t. With 3 replicates the
 * 95 % interval of a skewed response covers 89–92 %; a percentile bootstrap would cover less.
 */
public final class Means {
  private Means() {}

  /**
   * The arithmetic mean and its t interval; from one replicate the value without an interval.
   *
   * @param replicates one mean per replicate, in {@code unit}
   * @throws io.pyrometer.analysis.BadDataException if there is no value or one is not finite
   */
  public static Estimate arithmetic(double[] replicates, String unit, double confidence) {
    Samples.checked(replicates, 1, "the replicates");
    double mean = Samples.mean(replicates);
    if (replicates.length == 1) {
      return Estimate.unreplicated(mean, unit);
    }
    double half = halfWidth(replicates, confidence);
    return new Estimate(mean, mean - half, mean + half, confidence, replicates.length, unit);
  }

  /** The geometric mean and its log-t interval; every value must be above 0. */
  public static Estimate geometric(double[] replicates, String unit, double confidence) {
    Samples.positive(replicates, 1, "the replicates");
    double[] logs = Samples.ln(replicates);
    double mean = Samples.mean(logs);
    if (replicates.length == 1) {
      return Estimate.unreplicated(replicates[0], unit);
    }
    double half = halfWidth(logs, confidence);
    return new Estimate(
        Math.exp(mean),
        Math.exp(mean - half),
        Math.exp(mean + half),
        confidence,
        replicates.length,
        unit);
  }

  /** Half the width of the t interval of a mean: t·s/√n, at least two values. */
  public static double halfWidth(double[] values, double confidence) {
    Samples.checked(values, 2, "the replicates");
    double standardError = Math.sqrt(Samples.variance(values) / values.length);
    return StudentT.twoSided(confidence, values.length - 1) * standardError;
  }
}
