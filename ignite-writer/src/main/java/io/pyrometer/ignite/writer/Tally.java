package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/** What the writer has done so far; touched once or twice a batch. */
final class Tally {
  private final LongAdder writes = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder moves = new LongAdder();

  void batchDone(PendingBatch<?, ?> batch) {
    writes.add(batch.writes());
    entries.add(batch.size());
    batches.increment();
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

  WriterStats read(Room room) {
    return new WriterStats(
        writes.sum(),
        writes.sum() - entries.sum(),
        failed.sum(),
        batches.sum(),
        retries.sum(),
        moves.sum(),
        room.entries(),
        room.bytes());
  }
}
