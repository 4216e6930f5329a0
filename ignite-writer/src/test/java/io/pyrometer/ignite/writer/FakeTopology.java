package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.List;

/** Sixteen partitions by the key's hash; the test moves them. */
final class FakeTopology<K> implements Topology<K> {
  static final int PARTITIONS = 16;

  private volatile Placement placement = new Placement(Collections.nCopies(PARTITIONS, "a"));

  void place(List<?> nodeByPartition) {
    placement = new Placement(nodeByPartition);
  }

  @Override
  public int partitions() {
    return PARTITIONS;
  }

  @Override
  public int partition(K key) {
    return Math.floorMod(key.hashCode(), PARTITIONS);
  }

  @Override
  public Placement placement() {
    return placement;
  }
}
