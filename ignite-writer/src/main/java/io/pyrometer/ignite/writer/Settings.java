package io.pyrometer.ignite.writer;

import java.time.Duration;

/** The choices of {@link IgniteWriterBuilder}, which describes them. */
record Settings(
    int lanesPerNode,
    int smallestBatch,
    int largestBatch,
    long batchBytes,
    Duration linger,
    Duration mergeWait,
    long maxPendingEntries,
    BackPressure backPressure,
    Duration writeTimeout,
    Duration stallTimeout,
    Duration closeTimeout,
    Duration topologyPoll,
    Duration inDoubtFor,
    boolean repeats) {

  /** The pending entries that one lane may have: all of one node, or half of several together. */
  long share(int nodes) {
    return nodes == 1 ? maxPendingEntries : Math.max(1, maxPendingEntries / (2L * lanesPerNode));
  }
}
