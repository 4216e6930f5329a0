package io.pyrometer.analysis.latency;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Percentiles of replicates drawn anew with replacement. Every replicate keeps how many of its
 * operations took at most each latency, so that a drawn set's percentile is found by halving,
 * without merging anything. It lies between the least and the largest of the replicates' own, and
 * is looked for around that of the set drawn before.
 */
final class Resamples {
  /** Of each percentile the least and the largest of the replicates' own. */
  private final long[][] ends;

  /** The latencies that some drawn set's percentile may be, ascending. */
  private final long[] values;

  /** upTo[v][r]: the operations of replicate r that took at most values[v]. */
  private final long[][] upTo;

  /** The operations of each replicate. */
  private final long[] operations;

  private final double[] percents;

  /**
   * Counts.
   *
   * @param merged the replicates together
   */
  Resamples(List<LatencyCounts> blockCounts, LatencyCounts merged, double[] percents) {
    this.percents = percents;
    ends = Arrays.stream(percents).mapToObj(p -> ends(blockCounts, p)).toArray(long[][]::new);
    values = IntStream.range(0, merged.size()).mapToLong(merged::value).filter(this::may).toArray();
    upTo = new long[values.length][blockCounts.size()];
    for (int r = 0; r < blockCounts.size(); r++) {
      LatencyCounts counts = blockCounts.get(r);
      int next = 0;
      long seen = 0;
      for (int v = 0; v < values.length; v++) {
        while (next < counts.size() && counts.value(next) <= values[v]) {
          seen += counts.times(next++);
        }
        upTo[v][r] = seen;
      }
    }
    operations = blockCounts.stream().mapToLong(LatencyCounts::count).toArray();
  }

  private static long[] ends(List<LatencyCounts> blockCounts, double percent) {
    long[] own = blockCounts.stream().mapToLong(counts -> counts.percentile(percent)).toArray();
    return new long[] {LongStream.of(own).min().orElse(0), LongStream.of(own).max().orElse(0)};
  }

  private boolean may(long value) {
    for (long[] each : ends) {
      if (value >= each[0] && value <= each[1]) {
        return true;
      }
    }
    return false;
  }

  /** Of each percentile the values of so many drawn sets, ascending; the sets are the same. */
  double[][] percentiles(int times, RandomGenerator random) {
    double[][] percentiles = new double[percents.length][times];
    int[][] ranges = Arrays.stream(ends).map(this::range).toArray(int[][]::new);
    int[] found = Arrays.stream(ranges).mapToInt(range -> (range[0] + range[1]) >>> 1).toArray();
    long[] drawn = new long[operations.length];
    for (int i = 0; i < times; i++) {
      Arrays.fill(drawn, 0);
      for (int k = 0; k < drawn.length; k++) {
        drawn[random.nextInt(drawn.length)]++;
      }
      long all = sum(drawn, operations);
      for (int p = 0; p < percents.length; p++) {
        long wanted = LatencyCounts.rank(percents[p], all);
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
  private int[] range(long[] leastAndMost) {
    return Arrays.stream(leastAndMost).mapToInt(end -> Arrays.binarySearch(values, end)).toArray();
  }

  /** The first value of the range that so many drawn operations took at most. */
  private int index(long wanted, long[] drawn, int[] range, int guess) {
    int low = range[0];
    int high = range[1];
    int at = guess;
    for (int step = 1; low < high; step *= 2) {
      boolean reached = sum(drawn, upTo[at]) >= wanted;
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
      if (sum(drawn, upTo[middle]) >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long sum(long[] drawn, long[] each) {
    long sum = 0;
    for (int r = 0; r < drawn.length; r++) {
      sum += drawn[r] * each[r];
    }
    return sum;
  }
}
