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

  boolean boundsBytes() {
    return mostPendingBytes != Long.MAX_VALUE;
  }

  /** Entries that one lane may gather while it waits, so that no lane takes all the room. */
  int laneCapacity(int lanes) {
    long share = Math.max(1, mostPendingEntries / (2L * lanes));
    return (int) Math.min(largestBatch, share);
  }
}
