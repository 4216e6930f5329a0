package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * The typical shift between two samples: the median of all differences, with the interval that
 * inverts the exact rank test. The interval's confidence is the smallest attainable at or above the
 * wanted one; of very few values it is below, and the estimate says what it is.
 */
public final class HodgesLehmann {
  private static final int MOST_EXACT = 50;

  private HodgesLehmann() {}

  /** The shift from {@code x} to {@code y}, each of at least one finite value, in {@code unit}. */
  public static Estimate shift(double[] x, double[] y, String unit, double confidence) {
    Samples.checked(x, 1, "the first sample");
    Samples.checked(y, 1, "the second sample");
    double[] differences = new double[x.length * y.length];
    int i = 0;
    for (double a : x) {
      for (double b : y) {
        differences[i++] = b - a;
      }
    }
    Arrays.sort(differences);
    int replicates = Math.min(x.length, y.length);
    if (x.length <= MOST_EXACT && y.length <= MOST_EXACT) {
      RankSums sums = RankSums.mannWhitney(x.length, y.length);
      return exact(differences, sums, replicates, unit, confidence);
    }
    double product = (double) x.length * y.length;
    double sd = Math.sqrt(product * (x.length + y.length + 1) / 12);
    return approximate(differences, product / 2, sd, replicates, unit, confidence);
  }

  /** The centre of paired differences: the median of all means of two of them (or of one twice). */
  public static Estimate centre(double[] differences, String unit, double confidence) {
    int n = Samples.checked(differences, 1, "the pairs").length;
    double[] means = new double[n * (n + 1) / 2];
    int k = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        means[k++] = (differences[i] + differences[j]) / 2;
      }
    }
    Arrays.sort(means);
    if (n <= MOST_EXACT) {
      return exact(means, RankSums.signedRanks(n), n, unit, confidence);
    }
    double sd = Math.sqrt(n * (n + 1.0) * (2.0 * n + 1) / 24);
    return approximate(means, means.length / 2.0, sd, n, unit, confidence);
  }

  private static Estimate exact(
      double[] sorted, RankSums sums, int replicates, String unit, double confidence) {
    int k = sums.orderForInterval(Samples.confidence(confidence));
    double attained = sums.attained(k);
    double median = Samples.median(sorted);
    if (attained <= 0) {
      return new Estimate(median, median, median, 0, replicates, unit);
    }
    double low = Math.min(median, sorted[k - 1]);
    double high = Math.max(median, sorted[sorted.length - k]);
    return new Estimate(median, low, high, attained, replicates, unit);
  }

  private static Estimate approximate(
      double[] sorted, double centre, double sd, int replicates, String unit, double confidence) {
    double z = new NormalDistribution().inverseCumulativeProbability((1 + confidence) / 2);
    int k = (int) Math.max(1, Math.floor(centre - z * sd));
    double median = Samples.median(sorted);
    return new Estimate(
        median, sorted[k - 1], sorted[sorted.length - k], confidence, replicates, unit);
  }
}
