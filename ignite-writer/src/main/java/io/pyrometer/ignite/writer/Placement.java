package io.pyrometer.ignite.writer;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * For each partition the primary node that held it when it was asked.
 *
 * @param primaries node by partition; any value with equals will do for a node
 */
record Placement(List<?> primaries) {
  Placement {
    primaries = List.copyOf(primaries);
  }

  /** The number of different nodes, at least one. */
  int nodes() {
    return Math.max(1, (int) primaries.stream().distinct().count());
  }

  /**
   * The lane of each partition: every node has {@code lanesPerNode} neighbouring lanes, and its
   * partitions take turns on them.
   */
  int[] lanes(int lanesPerNode) {
    Map<Object, int[]> nextByNode = new LinkedHashMap<>();
    int[] lanes = new int[primaries.size()];
    Arrays.setAll(
        lanes,
        partition -> {
          int first = nextByNode.size() * lanesPerNode;
          int[] next =
              nextByNode.computeIfAbsent(primaries.get(partition), node -> new int[] {first, 0});
          return next[0] + next[1]++ % lanesPerNode;
        });
    return lanes;
  }
}
