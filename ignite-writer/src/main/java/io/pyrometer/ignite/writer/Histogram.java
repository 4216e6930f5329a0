package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of positive numbers in buckets whose width is an eighth of their power of two, so that a
 * percentile is at most 12.5 % too high.
 */
final class Histogram {
  private static final int SUB_BITS = 3;
  private static final int SUB = 1 << SUB_BITS;

  private final AtomicLongArray counts = new AtomicLongArray(64 * SUB);
  private final LongAdder sum = new LongAdder();
  private final LongAccumulator largest = new LongAccumulator(Math::max, 0);

  void record(long value) {
    long positive = Math.max(0, value);
    counts.incrementAndGet(bucket(positive));
    sum.add(positive);
    largest.accumulate(positive);
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
    long[] now = new long[counts.length()];
    long total = 0;
    for (int i = 0; i < now.length; i++) {
      now[i] = counts.get(i);
      total += now[i];
    }
    long max = largest.get();
    return new WriterStats.Distribution(
        total, sum.sum(), percentile(now, total, 0.5, max), percentile(now, total, 0.99, max), max);
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
