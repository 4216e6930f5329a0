package io.pyrometer.ignite.writer;

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

  void batchSent(Batch<?, ?> batch, long now) {
    batches.increment();
    batchEntries.record(batch.size());
    queueAge.record(now - batch.oldest());
  }

  void finished(long count) {
    entries.add(count);
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

  WriterStats read(PendingBudget budget, KeysInDoubt keysInDoubt) {
    return new WriterStats(
        entries.sum(),
        merged.sum(),
        failed.sum(),
        batches.sum(),
        retries.sum(),
        moves.sum(),
        budget.entries(),
        budget.bytes(),
        keysInDoubt.size(),
        queueAge.read(),
        batchEntries.read(),
        acknowledgement.read(),
        blocked.read());
  }
}
