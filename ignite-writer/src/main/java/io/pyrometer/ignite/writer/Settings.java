package io.pyrometer.ignite.writer;

import java.time.Duration;

/** The choices of {@link IgniteWriterBuilder}, which describes them, and their defaults. */
final class Settings implements Cloneable {
  int lanesPerNode;
  int smallestBatch = IgniteWriterBuilder.SMALLEST_BATCH;
  int largestBatch = IgniteWriterBuilder.LARGEST_BATCH;
  long batchBytes = 4L << 20;
  Duration linger = Duration.ofMillis(1);
  Duration mergeWait = IgniteWriterBuilder.MERGE_WAIT;
  long maxPendingEntries = IgniteWriterBuilder.PENDING_ENTRIES;
  long maxPendingBytes = 64L << 20;
  BackPressure backPressure = BackPressure.waitAtMost(Duration.ofMinutes(1));
  Duration writeTimeout = Duration.ofMinutes(2);
  Duration stallTimeout = Duration.ofSeconds(10);
  Duration closeTimeout = Duration.ofMinutes(1);
  Duration topologyPoll = Duration.ofMillis(250);
  Duration inDoubtFor = Duration.ofSeconds(10);
  boolean repeats = true;

  Settings(int lanesPerNode) {
    this.lanesPerNode = lanesPerNode;
  }

  /** The pending entries that one lane may have: all of one node, or half of several together. */
  long share(int nodes) {
    return nodes == 1 ? maxPendingEntries : Math.max(1, maxPendingEntries / (2L * lanesPerNode));
  }

  @Override
  public Settings clone() {
    try {
      return (Settings) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
