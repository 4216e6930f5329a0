package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.List;

/** Sixteen partitions by the key's hash, neighbours far apart; the test moves them. */
final class FakeTopology {
  static final int PARTITIONS = 16;

  private volatile List<?> primaries = Collections.nCopies(PARTITIONS, "a");

  void place(List<?> nodeByPartition) {
    primaries = List.copyOf(nodeByPartition);
  }

  int partition(Object key) {
    return Math.floorMod(9 * key.hashCode(), PARTITIONS);
  }

  List<?> primaries() {
    return primaries;
  }
}
