package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/** What the writer has done so far; touched once or twice a batch. */
final class Tally {
  private final LongAdder merged = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder moves = new LongAdder();

  void batchDone(Batch<?, ?> batch) {
    entries.add(batch.size());
    batches.increment();
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

  WriterStats read(Room room) {
    return new WriterStats(
        entries.sum(),
        merged.sum(),
        failed.sum(),
        batches.sum(),
        retries.sum(),
        moves.sum(),
        room.entries(),
        room.bytes());
  }
}
