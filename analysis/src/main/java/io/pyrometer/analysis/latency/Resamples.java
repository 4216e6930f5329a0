package io.pyrometer.analysis.latency;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Percentiles of replicates drawn anew with replacement. Every replicate keeps how many of its
 * operations took at most each latency, so that a drawn set's percentile is found by halving,
 * without merging anything. It lies between the least and the largest of the replicates' own, and
 * is looked for around that of the set drawn before.
 */
final class Resamples {
  private final List<LatencyCounts> blockCounts;
  private final long[] values;

  /** upTo[v][r]: the operations of replicate r that took at most values[v]. */
  private final long[][] upTo;

  private final int replicates;

  /**
   * Counts.
   *
   * @param merged the replicates together
   */
  Resamples(List<LatencyCounts> blockCounts, LatencyCounts merged) {
    this.blockCounts = blockCounts;
    replicates = blockCounts.size();
    values = new long[merged.size()];
    for (int v = 0; v < values.length; v++) {
      values[v] = merged.value(v);
    }
    upTo = new long[values.length][replicates];
    for (int r = 0; r < replicates; r++) {
      LatencyCounts counts = blockCounts.get(r);
      int next = 0;
      long seen = 0;
      for (int v = 0; v < values.length; v++) {
        if (next < counts.size() && counts.value(next) == values[v]) {
          seen += counts.times(next++);
        }
        upTo[v][r] = seen;
      }
    }
  }

  /** Of each percentile the values of so many drawn sets, ascending; the sets are the same. */
  double[][] percentiles(double[] percents, int times, RandomGenerator random) {
    double[][] percentiles = new double[percents.length][times];
    int[][] ranges = Arrays.stream(percents).mapToObj(this::range).toArray(int[][]::new);
    int[] found = Arrays.stream(ranges).mapToInt(range -> (range[0] + range[1]) >>> 1).toArray();
    long[] drawn = new long[replicates];
    for (int i = 0; i < times; i++) {
      Arrays.fill(drawn, 0);
      for (int k = 0; k < drawn.length; k++) {
        drawn[random.nextInt(drawn.length)]++;
      }
      long operations = upTo(drawn, values.length - 1);
      for (int p = 0; p < percents.length; p++) {
        long wanted = LatencyCounts.rank(percents[p], operations);
        found[p] = index(wanted, drawn, ranges[p], found[p]);
        percentiles[p][i] = (double) values[found[p]];
      }
    }
    for (double[] each : percentiles) {
      Arrays.sort(each);
    }
    return percentiles;
  }

  /** The indices that any drawn set's percentile lies between. */
  private int[] range(double percent) {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (LatencyCounts counts : blockCounts) {
      long own = counts.percentile(percent);
      least = Math.min(least, own);
      most = Math.max(most, own);
    }
    return new int[] {Arrays.binarySearch(values, least), Arrays.binarySearch(values, most)};
  }

  /** The first value of the range that so many drawn operations took at most. */
  private int index(long wanted, long[] drawn, int[] range, int guess) {
    int low = range[0];
    int high = range[1];
    int at = guess;
    for (int step = 1; low < high; step *= 2) {
      boolean reached = upTo(drawn, at) >= wanted;
      if (reached) {
        high = at;
      } else {
        low = at + 1;
      }
      boolean passed = reached ? at > guess : at < guess;
      if (passed) {
        break;
      }
      at = reached ? Math.max(low, at - step) : Math.min(high - 1, at + step);
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo(drawn, middle) >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private long upTo(long[] drawn, int value) {
    long[] row = upTo[value];
    long sum = 0;
    for (int r = 0; r < drawn.length; r++) {
      sum += drawn[r] * row[r];
    }
    return sum;
  }
}
