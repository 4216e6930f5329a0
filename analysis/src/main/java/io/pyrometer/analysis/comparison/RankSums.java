package io.pyrometer.analysis.comparison;

/** The exact distribution of a rank statistic without ties: shares of all equally likely orders. */
final class RankSums {
  private final double[] cumulative;

  private RankSums(double[] counts) {
    cumulative = new double[counts.length];
    double total = 0;
    for (double count : counts) {
      total += count;
    }
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += counts[i];
      cumulative[i] = sum / total;
    }
  }

  /** Of U for samples of m and n: orders counted by the coefficients of the Gaussian binomial. */
  static RankSums mannWhitney(int m, int n) {
    double[] counts = new double[m * n + 1];
    counts[0] = 1;
    for (int i = 1; i <= m; i++) {
      for (int u = counts.length - 1; u >= n + i; u--) {
        counts[u] -= counts[u - n - i];
      }
      for (int u = i; u < counts.length; u++) {
        counts[u] += counts[u - i];
      }
    }
    return new RankSums(counts);
  }

  /** Of the sum of the positive ranks among n signed ones. */
  static RankSums signedRanks(int n) {
    double[] counts = new double[n * (n + 1) / 2 + 1];
    counts[0] = 1;
    for (int rank = 1; rank <= n; rank++) {
      for (int sum = counts.length - 1; sum >= rank; sum--) {
        counts[sum] += counts[sum - rank];
      }
    }
    return new RankSums(counts);
  }

  /** P(statistic ≤ value). */
  double atMost(int value) {
    return value < 0 ? 0 : cumulative[Math.min(value, cumulative.length - 1)];
  }

  /**
   * The k for which the k-th smallest and k-th largest of the ordered shifts bound an interval of
   * at least this confidence, as narrow as can be; 1 where even the widest has less.
   */
  int orderForInterval(double confidence) {
    int k = 1;
    while (2 * (k + 1) <= cumulative.length && attained(k + 1) >= confidence) {
      k++;
    }
    return k;
  }

  /** The confidence of the interval between the k-th smallest and the k-th largest shift. */
  double attained(int k) {
    return Math.max(0, 1 - 2 * atMost(k - 1));
  }
}
