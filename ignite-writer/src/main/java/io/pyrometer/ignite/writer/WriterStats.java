package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a writer has done since it was opened, and what waits in it.
 *
 * @param finishedEntries entries that were accepted and are acknowledged or have failed
 * @param mergedWrites writes that were not sent because a later write of the key took their place
 * @param failedEntries entries that failed
 * @param retries calls repeated after a passing fault
 * @param topologyChanges times that keys moved to other lanes
 * @param pendingEntries entries that wait to be sent or acknowledged
 * @param pendingBytes their bytes
 * @param keysInDoubt keys whose writes wait because an earlier write is in doubt
 */
public record WriterStats(
    long finishedEntries,
    long mergedWrites,
    long failedEntries,
    long retries,
    long topologyChanges,
    long pendingEntries,
    long pendingBytes,
    long keysInDoubt) {

  /** Counts what a writer does. */
  static final class Counters {
    final LongAdder finished = new LongAdder();
    final LongAdder merged = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder moves = new LongAdder();

    WriterStats read(Budget budget, Doubts doubts) {
      return new WriterStats(
          finished.sum(),
          merged.sum(),
          failed.sum(),
          retries.sum(),
          moves.sum(),
          budget.entries.sum(),
          budget.bytes(),
          doubts.keys());
    }
  }
}
