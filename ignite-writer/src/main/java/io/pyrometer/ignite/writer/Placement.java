package io.pyrometer.ignite.writer;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * For each partition the nodes that held it when they were asked, the primary first.
 *
 * @param owners nodes by partition, at least one each; any value with equals will do for a node
 */
record Placement(List<? extends List<?>> owners) {
  Placement {
    owners = List.copyOf(owners);
  }

  static Placement ofPrimaries(List<?> primaries) {
    return new Placement(primaries.stream().map(List::of).toList());
  }

  /** The number of different primary nodes, at least one. */
  int nodes() {
    return primaries().size();
  }

  /** The different primary nodes, in the order of their lanes. */
  List<Object> primaries() {
    return List.copyOf(byPrimary().keySet());
  }

  /**
   * The lane of each partition: every primary node has {@code lanesPerNode} neighbouring lanes, and
   * each takes an equal share of its partitions. Partitions with the same backups are kept
   * together, so that a batch goes on from its primary node to few others.
   */
  int[] lanes(int lanesPerNode) {
    int[] lanes = new int[owners.size()];
    int first = 0;
    for (List<Integer> partitions : byPrimary().values()) {
      int count = partitions.size();
      for (int rank = 0; rank < count; rank++) {
        lanes[partitions.get(rank)] = first + (int) ((long) rank * lanesPerNode / count);
      }
      first += lanesPerNode;
    }
    return lanes;
  }

  private Map<Object, List<Integer>> byPrimary() {
    Map<Object, Integer> numbers = new LinkedHashMap<>();
    owners.forEach(nodes -> numbers.putIfAbsent(nodes, numbers.size()));
    return IntStream.range(0, owners.size())
        .boxed()
        .sorted(Comparator.comparing(partition -> numbers.getOrDefault(owners.get(partition), 0)))
        .collect(
            Collectors.groupingBy(
                partition -> owners.get(partition).get(0),
                LinkedHashMap::new,
                Collectors.toList()));
  }
}
