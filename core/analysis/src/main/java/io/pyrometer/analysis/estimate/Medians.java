package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import org.hipparchus.distribution.discrete.BinomialDistribution;

/** The median with the interval between two order statistics, which holds for any distribution. */
public final class Medians {
  private Medians() {}

  /**
   * The median; its interval is the narrowest between two values whose exact confidence reaches the
   * wanted one. Of fewer than 6 values that of 95 % does not exist: then it is from the least to
   * the largest, and the estimate says with what confidence.
   *
   * @throws io.pyrometer.analysis.BadDataException if there is no value or one is not finite
   */
  public static Estimate of(double[] values, String unit, double confidence) {
    Samples.checked(values, 1, "the replicates");
    Samples.confidence(confidence);
    double median = Samples.median(values);
    int n = values.length;
    if (n == 1) {
      return Estimate.unreplicated(median, unit);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int k = 0;
    while (k + 1 < (n + 1) / 2 && attained(n, k + 1) >= confidence) {
      k++;
    }
    return new Estimate(median, sorted[k], sorted[n - 1 - k], attained(n, k), n, unit);
  }

  /** Of the interval from the (k+1)-th smallest to the (k+1)-th largest of n. */
  private static double attained(int n, int k) {
    return 1 - 2 * new BinomialDistribution(n, 0.5).cumulativeProbability(k);
  }
}
