package io.pyrometer.ignite.writer;

/** A writer's figures for JMX; those of {@link WriterStats}, times in milliseconds. */
public interface WriterMXBean {
  /** Entries that are acknowledged or have failed. */
  long getFinishedEntries();

  /** Writes that a later one of their key replaced before they were sent. */
  long getMergedWrites();

  /** Entries that failed. */
  long getFailedEntries();

  /** Batches sent. */
  long getBatches();

  /** Calls repeated after a passing fault. */
  long getRetries();

  /** Times that keys moved to other lanes. */
  long getTopologyChanges();

  /** Entries that wait to be sent or acknowledged. */
  long getPendingEntries();

  /** Their estimated bytes. */
  long getPendingBytes();

  /** Keys in doubt. */
  long getKeysInDoubt();

  /** 99th percentile of how long batches' oldest entries waited to be sent. */
  double getQueueAgeP99Millis();

  /** 99th percentile of how long successful calls to the cache took. */
  double getAcknowledgementP99Millis();

  /** 99th percentile of how long callers that had to wait for room waited. */
  double getBlockedP99Millis();

  /** Mean number of entries in a batch. */
  double getMeanBatchEntries();
}
