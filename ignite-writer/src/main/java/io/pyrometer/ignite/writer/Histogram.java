package io.pyrometer.ignite.writer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of positive numbers in buckets whose width is an eighth of their power of two, so that a
 * percentile is at most 12.5 % too high. Count and sum are those of all numbers; percentiles and
 * maximum those of the last one to two minutes.
 */
final class Histogram {
  private static final int SUB_BITS = 3;
  private static final int SUB = 1 << SUB_BITS;
  private static final long WINDOW = TimeUnit.MINUTES.toNanos(1);

  private static final class Window {
    private final AtomicLongArray counts = new AtomicLongArray(64 * SUB);
    private final LongAccumulator largest = new LongAccumulator(Math::max, 0);
    private final long start;

    Window(long start) {
      this.start = start;
    }
  }

  private final LongAdder count = new LongAdder();
  private final LongAdder sum = new LongAdder();
  private volatile Window current = new Window(System.nanoTime());
  private volatile Window previous = current;

  void record(long value) {
    long positive = Math.max(0, value);
    Window window = current();
    window.counts.incrementAndGet(bucket(positive));
    window.largest.accumulate(positive);
    count.increment();
    sum.add(positive);
  }

  private Window current() {
    Window window = current;
    return System.nanoTime() - window.start < WINDOW ? window : rotate();
  }

  private synchronized Window rotate() {
    long now = System.nanoTime();
    long age = now - current.start;
    if (age >= WINDOW) {
      Window next = new Window(now);
      previous = age < 2 * WINDOW ? current : next;
      current = next;
    }
    return current;
  }

  private static int bucket(long value) {
    if (value < SUB) {
      return (int) value;
    }
    int shift = 63 - Long.numberOfLeadingZeros(value) - SUB_BITS;
    return (shift + 1) * SUB + (int) (value >>> shift) - SUB;
  }

  /** The largest number of a bucket. */
  private static long highest(int bucket) {
    if (bucket < SUB) {
      return bucket;
    }
    int shift = bucket / SUB - 1;
    return ((long) (bucket % SUB + SUB + 1) << shift) - 1;
  }

  WriterStats.Distribution read() {
    Window now = current();
    Window before = previous;
    long[] counts = new long[now.counts.length()];
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = now.counts.get(i) + (before == now ? 0 : before.counts.get(i));
      total += counts[i];
    }
    long max = Math.max(now.largest.get(), before.largest.get());
    return new WriterStats.Distribution(
        count.sum(),
        sum.sum(),
        percentile(counts, total, 0.5, max),
        percentile(counts, total, 0.99, max),
        max);
  }

  private static long percentile(long[] counts, long total, double share, long max) {
    long rank = (long) Math.ceil(total * share);
    long seen = 0;
    for (int i = 0; i < counts.length && rank > 0; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(max, highest(i));
      }
    }
    return 0;
  }
}
