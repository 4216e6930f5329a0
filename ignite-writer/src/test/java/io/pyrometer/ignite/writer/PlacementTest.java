package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PlacementTest {
  @Test
  void aNodesPartitionsTakeTurnsOnItsLanes() {
    Placement placement = new Placement(List.of("a", "b", "a", "a", "b", "a"));
    assertThat(placement.lanes(2)).containsExactly(0, 2, 1, 0, 3, 1);
  }

  @Property(tries = 200)
  void noLaneServesTwoNodes(
      @ForAll @Size(min = 1, max = 64) List<@IntRange(max = 5) Integer> primaries,
      @ForAll @IntRange(min = 1, max = 5) int lanesPerNode) {
    Placement placement = new Placement(primaries);
    int[] lanes = placement.lanes(lanesPerNode);
    Set<String> pairs = new TreeSet<>();
    Set<Integer> used = new TreeSet<>();
    for (int partition = 0; partition < lanes.length; partition++) {
      assertThat(lanes[partition]).isBetween(0, placement.nodes() * lanesPerNode - 1);
      pairs.add(lanes[partition] + " serves " + primaries.get(partition));
      used.add(lanes[partition]);
    }
    assertThat(pairs).hasSameSizeAs(used);
  }
}
