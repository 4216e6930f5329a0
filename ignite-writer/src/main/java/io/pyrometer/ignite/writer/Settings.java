package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.ToLongBiFunction;

/** The choices of {@link IgniteWriterBuilder}, which describes them. */
record Settings<K, V>(
    int lanesPerNode,
    int smallestBatch,
    int largestBatch,
    long batchBytes,
    Duration linger,
    Duration mergeWait,
    long mostPendingEntries,
    long mostPendingBytes,
    ToLongBiFunction<? super K, ? super V> sizeOf,
    BackPressure backPressure,
    Duration writeTimeout,
    Duration stallTimeout,
    Duration closeTimeout,
    Duration topologyPoll,
    int senders,
    Duration firstPause,
    Duration longestPause,
    Duration inDoubtFor,
    boolean invokeAllowed,
    Consumer<? super FailedWrite<K, V>> failureListener) {

  /** The sizes of one of so many lanes: none may take more than its share of the budget. */
  BatchSize batchSize(int lanes) {
    int share = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, mostPendingEntries / lanes));
    return new BatchSize(smallestBatch, largestBatch, share);
  }

  /** The pause before a call is repeated for the (attempt + 1)th time: doubled each time. */
  long pauseNanos(int attempt) {
    long first = Nanos.of(firstPause);
    long longest = Nanos.of(longestPause);
    int shift = Math.min(attempt, 40);
    return first > longest >> shift ? longest : Math.min(first << shift, longest);
  }
}
