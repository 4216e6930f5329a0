package io.pyrometer.ignite.writer;

import java.time.Duration;

/**
 * What a writer has done since it was opened, and what waits in it now.
 *
 * @param finishedEntries entries that were taken and are acknowledged or have failed
 * @param mergedWrites writes that were not sent because a later write of the key took their place
 * @param failedEntries entries that failed
 * @param batches batches sent
 * @param retries calls repeated after a passing fault
 * @param topologyChanges times that keys moved to other lanes
 * @param pendingEntries entries that wait to be sent or acknowledged
 * @param pendingBytes their bytes
 * @param keysInDoubt keys whose writes wait because an earlier write is in doubt
 * @param queueAgeNanos for each batch, how long its oldest entry waited until it was sent
 * @param batchEntries the entries of each batch
 * @param acknowledgementNanos how long each successful call to the cache took
 * @param blockedNanos how long callers waited for room, of those that had to wait
 */
public record WriterStats(
    long finishedEntries,
    long mergedWrites,
    long failedEntries,
    long batches,
    long retries,
    long topologyChanges,
    long pendingEntries,
    long pendingBytes,
    long keysInDoubt,
    Distribution queueAgeNanos,
    Distribution batchEntries,
    Distribution acknowledgementNanos,
    Distribution blockedNanos) {

  /**
   * Count and sum since the writer was opened, and percentiles of the last one to two minutes.
   *
   * @param count how many
   * @param sum their sum
   * @param median half of the recent ones are at most so large; at most 12.5 % too high
   * @param p99 99 % of the recent ones are at most so large; at most 12.5 % too high
   * @param max the largest recent one
   */
  public record Distribution(long count, long sum, long median, long p99, long max) {
    @Override
    public String toString() {
      return "%d: mean %d, p50 %d, p99 %d, max %d"
          .formatted(count, count == 0 ? 0 : sum / count, median, p99, max);
    }
  }

  @Override
  public String toString() {
    return ("%d entries finished, %d writes merged, %d failed, %d batches (mean %d), %d retries,"
            + " %d moves; %d pending (%d bytes), %d keys in doubt; p99 of queue age %s,"
            + " acknowledgement %s, blocked %s")
        .formatted(
            finishedEntries,
            mergedWrites,
            failedEntries,
            batches,
            batchEntries.count() == 0 ? 0 : batchEntries.sum() / batchEntries.count(),
            retries,
            topologyChanges,
            pendingEntries,
            pendingBytes,
            keysInDoubt,
            millis(queueAgeNanos.p99()),
            millis(acknowledgementNanos.p99()),
            millis(blockedNanos.p99()));
  }

  private static String millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis() + " ms";
  }
}
