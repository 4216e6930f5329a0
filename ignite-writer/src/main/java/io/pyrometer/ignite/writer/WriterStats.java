package io.pyrometer.ignite.writer;

/**
 * What a writer has done since it was opened, and what waits in it now.
 *
 * @param finishedEntries entries that were sent and are acknowledged or have failed
 * @param mergedWrites writes that were not sent because a later write of the key took their place
 * @param failedEntries entries that failed
 * @param batches batches sent
 * @param retries calls repeated after a passing fault
 * @param topologyChanges times that keys moved to other lanes
 * @param pendingEntries entries that wait to be sent or acknowledged
 * @param pendingBytes their estimated bytes
 */
public record WriterStats(
    long finishedEntries,
    long mergedWrites,
    long failedEntries,
    long batches,
    long retries,
    long topologyChanges,
    long pendingEntries,
    long pendingBytes) {}
