package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Wilcoxon's signed-rank test that paired differences lie around 0. Differences of 0 count as half
 * on each side; tied ranks are averaged, and then the exact distribution is that without ties.
 *
 * @param positive the sum of the ranks of the positive differences
 * @param p two-sided
 * @param pLower one-sided: the probability of a sum as small if there were no difference
 */
public record SignedRanks(double positive, double p, double pLower) {

  /** Tests at least one finite difference. */
  public static SignedRanks of(double[] differences) {
    int n = Samples.checked(differences, 1, "the pairs").length;
    double[] ranks = ranksOfSizes(differences);
    double positive = 0;
    for (int i = 0; i < n; i++) {
      positive += differences[i] > 0 ? ranks[i] : differences[i] == 0 ? ranks[i] / 2 : 0;
    }
    RankSums sums = RankSums.signedRanks(n);
    double total = n * (n + 1) / 2.0;
    double lower = sums.atMost((int) Math.ceil(positive));
    double upper = sums.atMost((int) Math.ceil(total - positive));
    return new SignedRanks(positive, Math.min(1, 2 * Math.min(lower, upper)), lower);
  }

  private static double[] ranksOfSizes(double[] differences) {
    double[] sizes = Arrays.stream(differences).map(Math::abs).toArray();
    int[] order =
        IntStream.range(0, sizes.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> sizes[i]))
            .mapToInt(i -> i)
            .toArray();
    double[] ranks = new double[sizes.length];
    for (int from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && sizes[order[to]] == sizes[order[from]]) {
        to++;
      }
      for (int i = from; i < to; i++) {
        ranks[order[i]] = (from + 1 + to) / 2.0;
      }
    }
    return ranks;
  }
}
