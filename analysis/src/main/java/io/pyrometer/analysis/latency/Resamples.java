package io.pyrometer.analysis.latency;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Percentiles of replicates drawn anew with replacement. Every replicate keeps how many of its
 * operations took at most each latency, so that a drawn set's percentile is found by halving,
 * without merging anything.
 */
final class Resamples {
  private final long[] values;

  /** upTo[r][v]: the operations of replicate r that took at most values[v]. */
  private final long[][] upTo;

  Resamples(List<Tally> replicates) {
    TreeSet<Long> all = new TreeSet<>();
    replicates.forEach(tally -> all.addAll(tally.counts().keySet()));
    values = all.stream().mapToLong(Long::longValue).toArray();
    upTo = new long[replicates.size()][values.length];
    for (int r = 0; r < upTo.length; r++) {
      long seen = 0;
      int v = 0;
      for (Map.Entry<Long, Long> each : replicates.get(r).counts().entrySet()) {
        for (; values[v] < each.getKey(); v++) {
          upTo[r][v] = seen;
        }
        seen += each.getValue();
      }
      Arrays.fill(upTo[r], v, values.length, seen);
    }
  }

  /** The percentiles of so many drawn sets, ascending. */
  double[] percentiles(double percent, int times, RandomGenerator random) {
    double[] percentiles = new double[times];
    int[] drawn = new int[upTo.length];
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
    long wanted = Tally.rank(percent, upTo(drawn, values.length - 1));
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
    long sum = 0;
    for (int r = 0; r < drawn.length; r++) {
      sum += drawn[r] * upTo[r][value];
    }
    return sum;
  }
}
