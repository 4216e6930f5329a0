package io.pyrometer.analysis.changepoint;

/**
 * The energy distance between two neighbouring stretches of a series (Matteson and James, A
 * nonparametric approach for multiple change point analysis of multivariate data, 2014):
 * Q=(2/(m+n))ΣΣ|X−Y| − (2m/((m+n)(n−1)))Σ|XᵢXₖ| − (2n/((m+n)(m−1)))Σ|YⱼYₖ|. All sums come from one
 * table of prefix sums, so that each Q takes a fixed number of steps.
 */
final class Energy {
  /** prefix[i][j]: the sum of |x_a − x_b| over a &lt; i, b &lt; j. */
  private final double[][] prefix;

  Energy(double[] series) {
    int n = series.length;
    prefix = new double[n + 1][n + 1];
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= n; j++) {
        double distance = Math.abs(series[i - 1] - series[j - 1]);
        prefix[i][j] = distance + prefix[i - 1][j] + prefix[i][j - 1] - prefix[i - 1][j - 1];
      }
    }
  }

  /** Q between [from, split) and [split, to), each of at least two values. */
  double q(int from, int split, int to) {
    double n = split - from;
    double m = to - split;
    double between = block(from, split, split, to);
    double withinLeft = block(from, split, from, split) / 2;
    double withinRight = block(split, to, split, to) / 2;
    double all = m + n;
    return 2 / all * between
        - 2 * m / (all * (n - 1)) * withinLeft
        - 2 * n / (all * (m - 1)) * withinRight;
  }

  private double block(int fromRow, int toRow, int fromColumn, int toColumn) {
    return prefix[toRow][toColumn]
        - prefix[fromRow][toColumn]
        - prefix[toRow][fromColumn]
        + prefix[fromRow][fromColumn];
  }

  /** A split at an index, the end of its right side, and how far apart its sides are. */
  record Split(int index, int end, double q) {}

  /**
   * The best split of [from, to); the right side may end before {@code to}, if that parts better.
   */
  Split best(int from, int to) {
    Split best = new Split(from, to, 0);
    for (int split = from + 2; split <= to - 2; split++) {
      for (int end = split + 2; end <= to; end++) {
        double q = q(from, split, end);
        if (q > best.q()) {
          best = new Split(split, end, q);
        }
      }
    }
    return best;
  }
}
