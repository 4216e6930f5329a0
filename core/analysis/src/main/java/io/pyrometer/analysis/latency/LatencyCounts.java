package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  private LatencyCounts(long[] values, long[] times) {
    this.values = values;
    this.times = times;
    long sum = 0;
    for (long each : times) {
      sum += each;
    }
    this.count = sum;
  }

  /**
   * From buckets that are in order already, such as those of a histogram.
   *
   * @param values ascending, each once, at least 0
   * @param times how often each was seen, above 0
   * @throws BadDataException if they are not so
   */
  public static LatencyCounts ofOrdered(long[] values, long[] times) {
    boolean ordered = values.length == times.length;
    for (int i = 0; ordered && i < values.length; i++) {
      ordered = times[i] > 0 && values[i] > (i == 0 ? -1 : values[i - 1]);
    }
    if (!ordered) {
      throw new BadDataException("Buckets of latency must ascend and be seen; sort them first.");
    }
    return new LatencyCounts(values.clone(), times.clone());
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
    List<LatencyCounts> left = blockCounts;
    while (left.size() > 1) {
      List<LatencyCounts> halved = new ArrayList<>();
      for (int i = 0; i < left.size(); i += 2) {
        halved.add(i + 1 < left.size() ? left.get(i).plus(left.get(i + 1)) : left.get(i));
      }
      left = halved;
    }
    return left.get(0);
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
