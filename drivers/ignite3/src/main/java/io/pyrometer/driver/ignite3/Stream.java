package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.GridException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SubmissionPublisher;
import org.apache.ignite.table.DataStreamerItem;
import org.apache.ignite.table.DataStreamerOptions;
import org.apache.ignite.table.DataStreamerTarget;
import org.apache.ignite.table.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * One long stream into a table, for one load thread. The data streamer reports the end of a whole
 * stream alone: {@link #add} returns when it has taken the records, and they are written when
 * {@link #drain} returns.
 */
final class Stream implements AutoCloseable {
  /** As Ignite 2's streamer does: a page that is not full is not held back for longer. */
  private static final int MAX_WAIT_MILLIS = 1_000;

  private final DataStreamerTarget<Map.Entry<Tuple, Tuple>> target;
  private final int page;
  private @Nullable SubmissionPublisher<DataStreamerItem<Map.Entry<Tuple, Tuple>>> publisher;
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

  /**
   * Opens no stream yet.
   *
   * @param page records in one message to a partition
   */
  Stream(DataStreamerTarget<Map.Entry<Tuple, Tuple>> target, int page) {
    this.target = target;
    this.page = page;
  }

  /**
   * Waits until the streamer has taken the records.
   *
   * @throws GridException if the stream has failed
   */
  void add(Map<Tuple, Tuple> records) throws InterruptedException {
    if (publisher == null) {
      publisher = new SubmissionPublisher<>(Runnable::run, page);
      written =
          target.streamData(
              publisher,
              DataStreamerOptions.builder()
                  .pageSize(page)
                  .perPartitionParallelOperations(1)
                  .autoFlushInterval(MAX_WAIT_MILLIS)
                  .build());
    }
    for (Map.Entry<Tuple, Tuple> record : records.entrySet()) {
      int unused =
          publisher.submit(DataStreamerItem.of(Map.entry(record.getKey(), record.getValue())));
    }
    if (written.isDone()) {
      // Only a failure ends a stream that is open; what is submitted then is dropped.
      drain();
    }
  }

  /**
   * Ends the stream and waits until all its records are written; the next call begins another.
   *
   * @throws GridException if the stream has failed
   */
  void drain() throws InterruptedException {
    close();
    try {
      written.get();
    } catch (ExecutionException e) {
      throw new GridException("The data streamer failed: " + GridException.cause(e), e);
    }
  }

  @Override
  public void close() {
    if (publisher != null) {
      publisher.close();
      publisher = null;
    }
  }
}
