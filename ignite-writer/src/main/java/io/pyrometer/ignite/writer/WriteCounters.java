package io.pyrometer.ignite.writer;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What the writer has done so far; touched a few times a batch. */
final class WriteCounters {
  final Histogram queueAge = new Histogram();
  final Histogram batchEntries = new Histogram();
  final Histogram acknowledgement = new Histogram();
  final Histogram blocked = new Histogram();
  private final LongAdder merged = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder moves = new LongAdder();

  /** A batch is sent; its first write is the oldest. */
  void batchSent(List<PendingWrite> batch) {
    batches.increment();
    batchEntries.record(batch.size());
    queueAge.record(System.nanoTime() - batch.get(0).since);
  }

  void finished() {
    entries.increment();
  }

  void merged(long writes) {
    merged.add(writes);
  }

  void entryFailed() {
    failed.increment();
  }

  void retried() {
    retries.increment();
  }

  void moved() {
    moves.increment();
  }

  WriterStats read(Budget budget, Doubts doubts) {
    return new WriterStats(
        entries.sum(),
        merged.sum(),
        failed.sum(),
        batches.sum(),
        retries.sum(),
        moves.sum(),
        budget.entries(),
        budget.bytes(),
        doubts.size(),
        queueAge.read(),
        batchEntries.read(),
        acknowledgement.read(),
        blocked.read());
  }
}
