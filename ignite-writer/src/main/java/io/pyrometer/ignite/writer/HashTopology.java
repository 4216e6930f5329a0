package io.pyrometer.ignite.writer;

import java.util.Collections;

/** Keys spread by hash over nameless partitions of one node that never change. */
final class HashTopology<K> implements Topology<K> {
  private static final int PARTITIONS = 1024;
  private static final Placement PLACEMENT =
      new Placement(Collections.nCopies(PARTITIONS, "cluster"));

  @Override
  public int partitions() {
    return PARTITIONS;
  }

  @Override
  public int partition(K key) {
    return PendingWrites.spread(key.hashCode()) & (PARTITIONS - 1);
  }

  @Override
  public Placement placement() {
    return PLACEMENT;
  }
}
