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
    return byPrimary().size();
  }

  /**
   * The partitions of each lane of each primary node, which share its partitions equally.
   * Partitions with the same backups are kept together, so that a batch goes on from its primary
   * node to few others.
   */
  Map<Object, List<List<Integer>>> lanes(int lanesPerNode) {
    Map<Object, List<List<Integer>>> lanes = new LinkedHashMap<>();
    byPrimary()
        .forEach(
            (node, partitions) ->
                lanes.put(
                    node,
                    IntStream.range(0, lanesPerNode)
                        .mapToObj(
                            lane ->
                                partitions.subList(
                                    first(lane, partitions.size(), lanesPerNode),
                                    first(lane + 1, partitions.size(), lanesPerNode)))
                        .toList()));
    return lanes;
  }

  private static int first(int lane, int partitions, int lanes) {
    return (int) (((long) lane * partitions + lanes - 1) / lanes);
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
