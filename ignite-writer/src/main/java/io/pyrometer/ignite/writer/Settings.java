package io.pyrometer.ignite.writer;

import java.time.Duration;

/** The choices of {@link IgniteWriterBuilder}, which describes them, and their defaults. */
final class Settings implements Cloneable {
  int lanesPerNode;
  int batchEntries = IgniteWriterBuilder.BATCH_ENTRIES;
  long batchBytes = 4L << 20;
  Duration linger = Duration.ofMillis(1);
  Duration mergeWait = IgniteWriterBuilder.MERGE_WAIT;
  long maxPendingEntries = IgniteWriterBuilder.PENDING_ENTRIES;
  long maxPendingBytes = 64L << 20;
  Duration maxWait = Duration.ofMinutes(1);
  Duration writeTimeout = Duration.ofMinutes(2);
  Duration inDoubtFor = Duration.ofSeconds(10);
  boolean repeats = true;

  /** How often the writer looks whether partitions have moved; tests look more often. */
  Duration topologyPoll = Duration.ofMillis(250);

  Settings(int lanesPerNode) {
    this.lanesPerNode = lanesPerNode;
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
