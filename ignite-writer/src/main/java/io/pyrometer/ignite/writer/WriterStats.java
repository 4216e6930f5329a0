package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a writer has done since it was opened, and what waits in it now.
 *
 * @param finishedEntries entries that were taken and are acknowledged or have failed
 * @param mergedWrites writes that were not sent because a later write of the key took their place
 * @param failedEntries entries that failed
 * @param batchEntries entries of all batches that were sent
 * @param retries calls repeated after a passing fault
 * @param topologyChanges times that keys moved to other lanes
 * @param pendingEntries entries that wait to be sent or acknowledged
 * @param pendingBytes their bytes
 * @param keysInDoubt keys whose writes wait because an earlier write is in doubt
 * @param queueAge for each batch, how long its oldest entry waited until it was sent
 * @param acknowledgement successful calls to the cache
 * @param blocked the waits of callers for room
 */
public record WriterStats(
    long finishedEntries,
    long mergedWrites,
    long failedEntries,
    long batchEntries,
    long retries,
    long topologyChanges,
    long pendingEntries,
    long pendingBytes,
    long keysInDoubt,
    Timing queueAge,
    Timing acknowledgement,
    Timing blocked) {

  /** The number and the total time of some events; differences of two are those of an interval. */
  public record Timing(long count, long totalNanos) {
    /** Returns the mean time in milliseconds, zero without events. */
    public double meanMillis() {
      return count == 0 ? 0 : totalNanos / 1e6 / count;
    }
  }

  /** Counts what a writer does. */
  static final class Counters {
    final Timer queueAge = new Timer();
    final Timer acknowledgement = new Timer();
    final Timer blocked = new Timer();
    final LongAdder batchEntries = new LongAdder();
    final LongAdder merged = new LongAdder();
    final LongAdder finished = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder moves = new LongAdder();

    static final class Timer {
      private final LongAdder count = new LongAdder();
      private final LongAdder nanos = new LongAdder();

      void record(long duration) {
        count.increment();
        nanos.add(duration);
      }

      private Timing read() {
        return new Timing(count.sum(), nanos.sum());
      }
    }

    WriterStats read(Budget budget, Doubts doubts) {
      return new WriterStats(
          finished.sum(),
          merged.sum(),
          failed.sum(),
          batchEntries.sum(),
          retries.sum(),
          moves.sum(),
          budget.entries(),
          budget.bytes(),
          doubts.keys(),
          queueAge.read(),
          acknowledgement.read(),
          blocked.read());
    }
  }
}
