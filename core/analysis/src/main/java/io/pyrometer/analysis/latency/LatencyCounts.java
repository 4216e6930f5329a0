package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * How often each latency was seen: a histogram's buckets, in whatever unit they were recorded.
 * Immutable. Tallies are added; their percentiles are never averaged.
 */
public final class LatencyCounts {
  /** Ascending, each once. */
  private final long[] values;

  /** Counts of each value, above 0. */
  private final long[] times;

  private final long count;

  /**
   * Makes it from the buckets of a histogram.
   *
   * @param values ascending, each once, at least 0
   * @param times how often each was seen, above 0
   */
  public LatencyCounts(long[] values, long[] times) {
    this.values = values.clone();
    this.times = times.clone();
    this.count = LongStream.of(times).sum();
  }

  /**
   * All of them together.
   *
   * @throws BadDataException if there are none
   */
  public static LatencyCounts merged(List<LatencyCounts> blockCounts) {
    if (blockCounts.isEmpty()) {
      throw new BadDataException("There is no latency to merge; run at least one trial.");
    }
    int n = blockCounts.size();
    return n == 1
        ? blockCounts.get(0)
        : merged(blockCounts.subList(0, n / 2)).plus(merged(blockCounts.subList(n / 2, n)));
  }

  private LatencyCounts plus(LatencyCounts other) {
    long[] bothValues = new long[values.length + other.values.length];
    long[] bothTimes = new long[bothValues.length];
    int size = 0;
    int a = 0;
    int b = 0;
    while (a < values.length || b < other.values.length) {
      boolean takeA =
          b == other.values.length || (a < values.length && values[a] <= other.values[b]);
      boolean takeB =
          a == values.length || (b < other.values.length && other.values[b] <= values[a]);
      bothValues[size] = takeA ? values[a] : other.values[b];
      bothTimes[size] = (takeA ? times[a] : 0) + (takeB ? other.times[b] : 0);
      a += takeA ? 1 : 0;
      b += takeB ? 1 : 0;
      size++;
    }
    return new LatencyCounts(Arrays.copyOf(bothValues, size), Arrays.copyOf(bothTimes, size));
  }

  /** The number of operations. */
  public long count() {
    return count;
  }

  /** Latency to count, ascending. */
  public Map<Long, Long> counts() {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      counts.put(values[i], times[i]);
    }
    return counts;
  }

  /**
   * The least latency that {@code percent} of the operations did not exceed, whether or not there
   * are enough of them; {@link Percentiles} judges that.
   *
   * @param percent 0…100; 100 is the largest
   */
  public long percentile(double percent) {
    if (count == 0) {
      throw new BadDataException("No operation was measured, so there is no latency.");
    }
    if (!(percent >= 0 && percent <= 100)) {
      throw BadDataException.of("A percentile lies between 0 and 100, not at %s.", percent);
    }
    long wanted = rank(percent, count);
    long seen = 0;
    for (int i = 0; i < values.length; i++) {
      seen += times[i];
      if (seen >= wanted) {
        return values[i];
      }
    }
    return values[values.length - 1];
  }

  /** Which of {@code count} operations, in order of their latency, is the percentile. */
  static long rank(double percent, long count) {
    return Math.max(1, (long) Math.ceil(Math.nextDown(percent / 100 * count)));
  }
}
