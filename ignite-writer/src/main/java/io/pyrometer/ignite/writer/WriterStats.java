package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/** Counts of what a writer has done since it was opened, and what waits in it. */
public final class WriterStats {
  private final long finishedEntries;
  private final long mergedWrites;
  private final long failedEntries;
  private final long retries;
  private final long topologyChanges;
  private final long pendingEntries;
  private final long pendingBytes;
  private final long keysInDoubt;

  WriterStats(Counters counters, Budget budget, Doubts doubts) {
    finishedEntries = counters.finished.sum();
    mergedWrites = counters.merged.sum();
    failedEntries = counters.failed.sum();
    retries = counters.retries.sum();
    topologyChanges = counters.moves.sum();
    pendingEntries = budget.entries.sum();
    pendingBytes = budget.bytes();
    keysInDoubt = doubts.keys();
  }

  /** Entries that were accepted and are acknowledged or have failed. */
  public long finishedEntries() {
    return finishedEntries;
  }

  /** Writes that were not sent because a later write of the key took their place. */
  public long mergedWrites() {
    return mergedWrites;
  }

  /** Entries that failed. */
  public long failedEntries() {
    return failedEntries;
  }

  /** Calls repeated after a passing fault. */
  public long retries() {
    return retries;
  }

  /** Times that keys moved to other lanes. */
  public long topologyChanges() {
    return topologyChanges;
  }

  /** Entries that wait to be sent or acknowledged. */
  public long pendingEntries() {
    return pendingEntries;
  }

  /** Bytes of the pending entries. */
  public long pendingBytes() {
    return pendingBytes;
  }

  /** Keys whose writes wait because an earlier write is in doubt. */
  public long keysInDoubt() {
    return keysInDoubt;
  }

  @Override
  public String toString() {
    return String.format(
        "finished=%d merged=%d failed=%d retries=%d topologyChanges=%d pending=%d pendingBytes=%d"
            + " keysInDoubt=%d",
        finishedEntries,
        mergedWrites,
        failedEntries,
        retries,
        topologyChanges,
        pendingEntries,
        pendingBytes,
        keysInDoubt);
  }

  /** Counts what a writer does. */
  static final class Counters {
    final LongAdder finished = new LongAdder();
    final LongAdder merged = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder moves = new LongAdder();
  }
}
