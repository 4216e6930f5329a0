package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.LongAdder;

/** What the writer has done so far. */
final class WriteCounters {
  final Histogram queueAge = new Histogram();
  final Histogram batchEntries = new Histogram();
  final Histogram acknowledgement = new Histogram();
  final Histogram blocked = new Histogram();
  final LongAdder merged = new LongAdder();
  final LongAdder finished = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder moves = new LongAdder();

  WriterStats read(Budget budget, Doubts doubts) {
    return new WriterStats(
        finished.sum(),
        merged.sum(),
        failed.sum(),
        batches.sum(),
        retries.sum(),
        moves.sum(),
        budget.entries(),
        budget.bytes(),
        doubts.keys().size(),
        queueAge.read(),
        batchEntries.read(),
        acknowledgement.read(),
        blocked.read());
  }
}
