package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Sixteen partitions by the key's hash, neighbours far apart; the test moves them. */
final class FakeTopology {
  static final int PARTITIONS = 16;

  private volatile List<?> primaries = Collections.nCopies(PARTITIONS, "a");

  void place(List<?> nodeByPartition) {
    primaries = List.copyOf(nodeByPartition);
  }

  /** Places each partition on any of three nodes. */
  void shuffle(Random random) {
    Object[] nodes = new Object[PARTITIONS];
    Arrays.setAll(nodes, partition -> random.nextInt(3));
    place(Arrays.asList(nodes));
  }

  int partition(Object key) {
    return Math.floorMod(9 * key.hashCode(), PARTITIONS);
  }

  List<?> primaries() {
    return primaries;
  }
}
