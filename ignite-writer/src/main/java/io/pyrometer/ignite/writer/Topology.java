package io.pyrometer.ignite.writer;

/**
 * Where keys live. Wrong answers cost speed and never order: the writer only relies on a key having
 * the same partition each time it is asked.
 */
interface Topology {
  /** The number of partitions, fixed for the life of the writer. */
  int partitions();

  /** The partition of an encoded key, in [0, partitions). */
  int partition(Object key);

  /**
   * Who holds each partition, as the cluster is now; equal placements mean that nothing moved.
   * Called from time to time, off the path of writes.
   */
  Placement placement();
}
