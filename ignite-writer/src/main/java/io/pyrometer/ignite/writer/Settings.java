package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.ToLongBiFunction;

/** The choices of {@link IgniteWriterBuilder}, which describes them. */
record Settings<K, V>(
    int lanesPerNode,
    int smallestBatch,
    int largestBatch,
    Duration linger,
    long mostPendingEntries,
    long mostPendingBytes,
    ToLongBiFunction<? super K, ? super V> sizeOf,
    Duration writeTimeout,
    Duration closeTimeout,
    Duration topologyPoll,
    int senders,
    Retries retries,
    BiConsumer<Object, Throwable> failureListener) {

  /** The sizes of one of so many lanes: none may take more than its share of the room. */
  BatchSize batchSize(int lanes) {
    int share = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, mostPendingEntries / lanes));
    return new BatchSize(smallestBatch, largestBatch, share);
  }
}
