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

  /**
   * The partitions of each primary node. Those with the same backups stand together, so that a lane
   * that has a share of them goes on from the node to few others.
   */
  Map<Object, List<Integer>> byPrimary() {
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
