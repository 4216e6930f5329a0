package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Samples;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * The Mann–Whitney test that one of two samples tends to larger values.
 *
 * @param u the number of pairs in which x is larger than y; a tie counts ½
 * @param p two-sided
 * @param pLower one-sided: the probability of a u as small if there were no difference
 * @param exact whether p is exact: samples without ties and of at most 50 each; else the normal
 *     approximation with corrections for ties and continuity
 */
public record MannWhitney(double u, double p, double pLower, boolean exact) {
  private static final int MOST_EXACT = 50;
  private static final NormalDistribution NORMAL = new NormalDistribution();

  /** Tests x against y, each of at least one finite value. */
  public static MannWhitney of(double[] x, double[] y) {
    Samples.checked(x, 1, "the first sample");
    Samples.checked(y, 1, "the second sample");
    double u = 0;
    boolean ties = false;
    for (double a : x) {
      for (double b : y) {
        u += a > b ? 1 : a == b ? 0.5 : 0;
        ties |= a == b;
      }
    }
    if (!ties && x.length <= MOST_EXACT && y.length <= MOST_EXACT) {
      double lower = RankSums.mannWhitney(x.length, y.length).atMost((int) u);
      double upper = RankSums.mannWhitney(x.length, y.length).atMost(x.length * y.length - (int) u);
      return new MannWhitney(u, Math.min(1, 2 * Math.min(lower, upper)), lower, true);
    }
    return approximate(x, y, u);
  }

  static MannWhitney approximate(double[] x, double[] y, double u) {
    double product = (double) x.length * y.length;
    double n = x.length + y.length;
    double variance = product / 12 * (n + 1 - Ties.cubes(x, y) / (n * (n - 1)));
    if (variance <= 0) {
      return new MannWhitney(u, 1, 1, false);
    }
    double sd = Math.sqrt(variance);
    double distance = Math.max(0, Math.abs(u - product / 2) - 0.5);
    double p = 2 * NORMAL.cumulativeProbability(-distance / sd);
    double lower = NORMAL.cumulativeProbability((u - product / 2 + 0.5) / sd);
    return new MannWhitney(u, Math.min(1, p), lower, false);
  }
}
