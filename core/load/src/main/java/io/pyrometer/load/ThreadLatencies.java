package io.pyrometer.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The latencies that one thread records: counts of the buckets that a {@link Histogram} of three
 * digits has. They are never reset, so that the writer needs no atomic operation; a reader takes
 * the differences from what it read last.
 */
final class ThreadLatencies implements Recording.Latencies {
  /** Longer ones count as this. */
  static final long LONGEST = TimeUnit.DAYS.toNanos(1);

  /** Buckets of one power of two: {@value Recording#DIGITS} digits need 1,000 of them. */
  private static final int HALF_BITS = 10;

  private final long[] counts = new long[index(LONGEST) + 1];
  private final long[] before = new long[counts.length];
  private int top;

  /** Adds a duration of zero or more nanoseconds. By the one writer. */
  @Override
  public void record(long nanos) {
    int index = index(Math.min(nanos, LONGEST));
    counts[index]++;
    if (index > top) {
      top = index;
    }
  }

  /** The first 2,048 values have a bucket each, every further power of two has 1,024. */
  private static int index(long nanos) {
    int power = Math.max(0, Long.SIZE - 1 - HALF_BITS - Long.numberOfLeadingZeros(nanos | 1));
    return (power << HALF_BITS) + (int) (nanos >>> power);
  }

  private static long value(int index) {
    int power = Math.max(0, (index >> HALF_BITS) - 1);
    return (long) (index - (power << HALF_BITS)) << power;
  }

  @Override
  public void moveTo(Histogram sum) {
    for (int i = 0; i <= top; i++) {
      long count = counts[i];
      if (count != before[i]) {
        sum.recordValueWithCount(value(i), count - before[i]);
        before[i] = count;
      }
    }
  }
}
