package io.pyrometer.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
import org.HdrHistogram.ValueRecorder;

/**
 * What one load thread records: latencies by operation in nanoseconds, records, calls, failures.
 * One writer where the access path is synchronous, any number where it is not; readers never stop a
 * writer.
 *
 * <p>Histograms grow with what they are given, so nothing is clipped.
 */
final class Recording {

  static final int DIGITS = 3;

  private final boolean singleWriter;
  private final ValueRecorder[] latencies;
  private final Histogram[] taken;
  private final SlowestCalls[] slowest;
  private final AtomicLong plainRecords = new AtomicLong();
  private final AtomicLong plainCalls = new AtomicLong();
  private final AtomicLong plainNanos = new AtomicLong();
  private final LongAdder nanosOfAll = new LongAdder();
  private final LongAdder records = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final SingleWriterRecorder slip = new SingleWriterRecorder(DIGITS);

  private long firstNanos;

  Recording(int operations, boolean singleWriter) {
    this.singleWriter = singleWriter;
    this.latencies = new ValueRecorder[operations];
    this.taken = new Histogram[operations];
    this.slowest = new SlowestCalls[operations];
    for (int i = 0; i < operations; i++) {
      slowest[i] = new SlowestCalls();
      latencies[i] = singleWriter ? new SingleWriterRecorder(DIGITS) : new Recorder(DIGITS);
      taken[i] = interval(latencies[i], null);
    }
  }

  /**
   * @param end when, by the clock of the load
   * @param late nanoseconds by which the call was started late
   */
  void ended(int operation, long nanos, long end, long late, int size) {
    long latency = Math.max(0, nanos);
    latencies[operation].recordValue(latency);
    slowest[operation].offer(nanos, end, late);
    if (firstNanos == 0) {
      firstNanos = nanos;
    }
    if (singleWriter) {
      plainRecords.setRelease(plainRecords.getPlain() + size);
      plainCalls.setRelease(plainCalls.getPlain() + 1);
      plainNanos.setRelease(plainNanos.getPlain() + latency);
    } else {
      records.add(size);
      calls.increment();
      nanosOfAll.add(latency);
    }
  }

  /** Of the first call to end, or one of the first where there are many writers; 0 for none. */
  long firstNanos() {
    return firstNanos;
  }

  void failed() {
    failures.increment();
  }

  /** Called by the load thread itself. */
  void slipped(long nanos) {
    slip.recordValue(Math.max(0, nanos));
  }

  long records() {
    return plainRecords.getAcquire() + records.sum();
  }

  long calls() {
    return plainCalls.getAcquire() + calls.sum();
  }

  /** The latencies of all calls, summed. */
  long latencyNanos() {
    return plainNanos.getAcquire() + nanosOfAll.sum();
  }

  long failures() {
    return failures.sum();
  }

  /** How late calls were begun since the last time this was taken: one value a call. */
  Histogram takeSlip() {
    return slip.getIntervalHistogram();
  }

  /**
   * The latencies of an operation since the last time they were taken. The histogram is valid until
   * they are taken again. One reader at a time.
   */
  Histogram takeLatencies(int operation) {
    taken[operation] = interval(latencies[operation], taken[operation]);
    return taken[operation];
  }

  SlowestCalls slowest(int operation) {
    return slowest[operation];
  }

  private static Histogram interval(
      ValueRecorder recorder, @org.jspecify.annotations.Nullable Histogram recycled) {
    return recorder instanceof SingleWriterRecorder single
        ? single.getIntervalHistogram(recycled)
        : ((Recorder) recorder).getIntervalHistogram(recycled);
  }
}
