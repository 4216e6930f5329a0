package io.pyrometer.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Record of one load thread: latencies by operation in nanoseconds, records, calls, failures. One
 * writer where the access path is synchronous, any number where it is not; readers never stop a
 * writer.
 */
final class Recording {

  static final int DIGITS = 3;

  private final boolean singleWriter;
  private final Latencies[] latencies;
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
    this.latencies = new Latencies[operations];
    this.slowest = new SlowestCalls[operations];
    for (int i = 0; i < operations; i++) {
      slowest[i] = new SlowestCalls();
      latencies[i] = singleWriter ? new ThreadLatencies() : new OfMany();
    }
  }

  /**
   * @param end when, by the clock of the load
   * @param late nanoseconds by which the call was started late
   */
  void ended(int operation, long nanos, long end, long late, int size) {
    long latency = Math.max(0, nanos);
    latencies[operation].record(latency);
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

  /**
   * Latency in ns of the first call to end, or of one of the first with many writers; 0 for none.
   */
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

  /** Adds the latencies of an operation since the last time to a sum. One reader at a time. */
  void moveLatencies(int operation, Histogram sum) {
    latencies[operation].moveTo(sum);
  }

  SlowestCalls slowest(int operation) {
    return slowest[operation];
  }

  /** Latencies of an operation. */
  interface Latencies {
    void record(long nanos);

    /** Adds those since the last time to a sum. One reader at a time. */
    void moveTo(Histogram sum);
  }

  private static final class OfMany implements Latencies {
    private final Recorder recorder = new Recorder(DIGITS);
    private @Nullable Histogram taken;

    @Override
    public void record(long nanos) {
      recorder.recordValue(nanos);
    }

    @Override
    public void moveTo(Histogram sum) {
      taken = recorder.getIntervalHistogram(taken);
      sum.add(taken);
    }
  }
}
