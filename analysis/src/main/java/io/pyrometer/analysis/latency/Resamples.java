package io.pyrometer.analysis.latency;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Percentiles of replicates drawn anew with replacement. Every replicate keeps how many of its
 * operations took at most each latency, so that a drawn set's percentile is found by halving,
 * without merging anything.
 */
final class Resamples {
  private final long[] values;

  /** upTo[v][r]: the operations of replicate r that took at most values[v]. */
  private final long[][] upTo;

  private final int replicates;

  Resamples(List<LatencyCounts> blockCounts) {
    LatencyCounts all = LatencyCounts.merged(blockCounts);
    replicates = blockCounts.size();
    values = new long[all.size()];
    upTo = new long[values.length][replicates];
    int[] next = new int[replicates];
    long[] seen = new long[replicates];
    for (int v = 0; v < values.length; v++) {
      values[v] = all.value(v);
      for (int r = 0; r < replicates; r++) {
        LatencyCounts counts = blockCounts.get(r);
        if (next[r] < counts.size() && counts.value(next[r]) == values[v]) {
          seen[r] += counts.times(next[r]++);
        }
        upTo[v][r] = seen[r];
      }
    }
  }

  /** The percentiles of so many drawn sets, ascending. */
  double[] percentiles(double percent, int times, RandomGenerator random) {
    double[] percentiles = new double[times];
    int[] drawn = new int[replicates];
    for (int i = 0; i < times; i++) {
      Arrays.fill(drawn, 0);
      for (int k = 0; k < drawn.length; k++) {
        drawn[random.nextInt(drawn.length)]++;
      }
      percentiles[i] = (double) percentile(percent, drawn);
    }
    Arrays.sort(percentiles);
    return percentiles;
  }

  private long percentile(double percent, int[] drawn) {
    long wanted = LatencyCounts.rank(percent, upTo(drawn, values.length - 1));
    int low = 0;
    int high = values.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo(drawn, middle) >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return values[low];
  }

  private long upTo(int[] drawn, int value) {
    long[] row = upTo[value];
    long sum = 0;
    for (int r = 0; r < drawn.length; r++) {
      sum += drawn[r] * row[r];
    }
    return sum;
  }
}
