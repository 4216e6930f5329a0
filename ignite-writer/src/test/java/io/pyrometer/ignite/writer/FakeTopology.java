package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.List;

/** Sixteen partitions by the key's hash, neighbours far apart; the test moves them. */
final class FakeTopology {
  static final int PARTITIONS = 16;

  private volatile Placement placement =
      Placement.ofPrimaries(Collections.nCopies(PARTITIONS, "a"));

  void place(List<?> nodeByPartition) {
    placement = Placement.ofPrimaries(nodeByPartition);
  }

  int partition(Object key) {
    return Math.floorMod(9 * key.hashCode(), PARTITIONS);
  }

  Placement placement() {
    return placement;
  }
}
