package io.pyrometer.ignite.writer;

/**
 * What a writer has done since it was opened, and what waits in it now.
 *
 * @param finishedWrites writes whose future is complete, with or without success
 * @param mergedWrites those of them whose place was taken by a later write of the same key
 * @param failedEntries entries that failed
 * @param batches batches sent
 * @param retries calls repeated after a passing fault
 * @param topologyChanges times that keys moved to other lanes
 * @param pendingEntries entries that wait to be sent or acknowledged
 * @param pendingBytes their estimated bytes; 0 where the bytes are not bounded
 */
public record WriterStats(
    long finishedWrites,
    long mergedWrites,
    long failedEntries,
    long batches,
    long retries,
    long topologyChanges,
    long pendingEntries,
    long pendingBytes) {}
