package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PlacementTest {
  @Test
  void aNodesPartitionsAreSharedOutToItsLanes() {
    Placement placement = Placement.ofPrimaries(List.of("a", "b", "a", "a", "b", "a"));
    assertThat(placement.lanes(2))
        .isEqualTo(
            Map.of(
                "a", List.of(List.of(0, 2), List.of(3, 5)), "b", List.of(List.of(1), List.of(4))));
  }

  @Test
  void partitionsWithTheSameBackupsShareALane() {
    List<String> viaB = List.of("a", "b");
    List<String> viaC = List.of("a", "c");
    assertThat(new Placement(List.of(viaB, viaC, viaC, viaB)).lanes(2))
        .isEqualTo(Map.of("a", List.of(List.of(0, 3), List.of(1, 2))));
  }

  @Property(tries = 200)
  void eachPartitionHasOneLaneAndThatIsOfItsNode(
      @ForAll @Size(min = 1, max = 64) List<@IntRange(max = 5) Integer> primaries,
      @ForAll @IntRange(min = 1, max = 5) int lanesPerNode) {
    Placement placement = Placement.ofPrimaries(primaries);
    List<Integer> served = new ArrayList<>();
    placement
        .lanes(lanesPerNode)
        .forEach(
            (node, lanes) -> {
              assertThat(lanes).hasSize(lanesPerNode);
              for (List<Integer> partitions : lanes) {
                assertThat(partitions).allMatch(number -> primaries.get(number).equals(node));
                served.addAll(partitions);
              }
            });
    assertThat(served)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, primaries.size()).boxed().toList());
  }
}
