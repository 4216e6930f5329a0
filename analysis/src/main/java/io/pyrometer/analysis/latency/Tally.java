package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How often each latency was seen: a histogram's buckets, in whatever unit they were recorded.
 * Immutable. Tallies are added; their percentiles are never averaged.
 */
public final class Tally {
  private final NavigableMap<Long, Long> counts;
  private final Timing timing;
  private final long count;

  /** From when latency was counted. */
  public enum Timing {
    /** From when the schedule wanted the operation sent: whole as it is. */
    INTENDED_START,
    /** From when it was sent, in a loop without a schedule: a stall hides what it delayed. */
    SENT,
    /** {@link #SENT}, with the hidden operations put back. */
    BACK_FILLED
  }

  private Tally(NavigableMap<Long, Long> counts, Timing timing) {
    this.counts = counts;
    this.timing = timing;
    this.count = counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * From buckets.
   *
   * @param counts latency to how often it was seen, both at least 0
   */
  public static Tally of(Map<Long, Long> counts, Timing timing) {
    TreeMap<Long, Long> copy = new TreeMap<>();
    counts.forEach(
        (value, times) -> {
          if (value < 0 || times < 0) {
            throw BadDataException.of(
                "A latency of %d seen %d times cannot be; look at the clock of that agent.",
                value, times);
          }
          if (times > 0) {
            copy.put(value, times);
          }
        });
    return new Tally(copy, timing);
  }

  /**
   * All of them together.
   *
   * @throws BadDataException if there are none, or they count latency from different starts
   */
  public static Tally merged(List<Tally> tallies) {
    if (tallies.isEmpty()) {
      throw new BadDataException("There is no latency to merge; run at least one trial.");
    }
    Timing timing = tallies.get(0).timing;
    TreeMap<Long, Long> sum = new TreeMap<>();
    for (Tally tally : tallies) {
      if (tally.timing != timing) {
        throw BadDataException.of(
            "Latencies counted from %s and from %s cannot be merged; compare them side by side.",
            timing, tally.timing);
      }
      tally.counts.forEach((value, times) -> sum.merge(value, times, Long::sum));
    }
    return new Tally(sum, timing);
  }

  /**
   * Puts back the operations that a stall kept from being sent: for each latency v also v−Δ, v−2Δ …
   * while at least Δ (Tene's correction for coordinated omission).
   *
   * @param expectedInterval Δ between operations, above 0, in the unit of the latencies
   * @throws BadDataException if latency counts from the intended start, which hides nothing, or was
   *     corrected already
   */
  public Tally backFilled(long expectedInterval) {
    if (timing != Timing.SENT) {
      throw BadDataException.of(
          "Latency counted as %s hides nothing, so it must not be corrected again.", timing);
    }
    if (expectedInterval <= 0) {
      throw BadDataException.of(
          "The expected interval must be above 0 but is %d.", expectedInterval);
    }
    TreeMap<Long, Long> filled = new TreeMap<>(counts);
    counts.forEach(
        (value, times) -> {
          for (long v = value - expectedInterval; v >= expectedInterval; v -= expectedInterval) {
            filled.merge(v, times, Long::sum);
          }
        });
    return new Tally(filled, Timing.BACK_FILLED);
  }

  /** The number of operations. */
  public long count() {
    return count;
  }

  /** From when latency was counted. */
  public Timing timing() {
    return timing;
  }

  /** Latency to count, ascending. */
  public Map<Long, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** The mean; throws {@link BadDataException} of nothing. */
  public double mean() {
    refuseEmpty();
    double sum = 0;
    for (Map.Entry<Long, Long> each : counts.entrySet()) {
      sum += (double) each.getKey() * each.getValue();
    }
    return sum / count;
  }

  /**
   * The least latency that {@code percent} of the operations did not exceed, whether or not there
   * are enough of them; {@link Percentiles} judges that.
   *
   * @param percent 0…100; 100 is the largest
   */
  public long percentile(double percent) {
    refuseEmpty();
    if (!(percent >= 0 && percent <= 100)) {
      throw BadDataException.of("A percentile lies between 0 and 100, not at %s.", percent);
    }
    long wanted = rank(percent, count);
    long seen = 0;
    for (Map.Entry<Long, Long> each : counts.entrySet()) {
      seen += each.getValue();
      if (seen >= wanted) {
        return each.getKey();
      }
    }
    return counts.lastKey();
  }

  /** Which of {@code count} operations, in order of their latency, is the percentile. */
  static long rank(double percent, long count) {
    return Math.max(1, (long) Math.ceil(Math.nextDown(percent / 100 * count)));
  }

  private void refuseEmpty() {
    if (count == 0) {
      throw new BadDataException("No operation was measured, so there is no latency.");
    }
  }
}
