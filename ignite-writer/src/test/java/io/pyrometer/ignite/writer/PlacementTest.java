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
  void aNodesPartitionsAreSharedOutToItsLanes() {
    Placement placement = Placement.ofPrimaries(List.of("a", "b", "a", "a", "b", "a"));
    assertThat(placement.lanes(2)).containsExactly(0, 2, 0, 1, 3, 1);
  }

  @Test
  void partitionsWithTheSameBackupsShareALane() {
    List<String> viaB = List.of("a", "b");
    List<String> viaC = List.of("a", "c");
    assertThat(new Placement(List.of(viaB, viaC, viaC, viaB)).lanes(2)).containsExactly(0, 1, 1, 0);
  }

  @Property(tries = 200)
  void noLaneServesTwoNodes(
      @ForAll @Size(min = 1, max = 64) List<@IntRange(max = 5) Integer> primaries,
      @ForAll @IntRange(min = 1, max = 5) int lanesPerNode) {
    Placement placement = Placement.ofPrimaries(primaries);
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
