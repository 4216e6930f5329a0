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
  void partitionsWithTheSameBackupsStandTogether() {
    List<String> viaB = List.of("a", "b");
    List<String> viaC = List.of("a", "c");
    assertThat(new Placement(List.of(viaB, viaC, viaC, viaB)).byPrimary())
        .isEqualTo(Map.of("a", List.of(0, 3, 1, 2)));
  }

  @Property(tries = 200)
  void eachPartitionIsOfItsPrimaryNode(
      @ForAll @Size(min = 1, max = 64) List<@IntRange(max = 5) Integer> primaries) {
    List<Integer> served = new ArrayList<>();
    Placement.ofPrimaries(primaries)
        .byPrimary()
        .forEach(
            (node, partitions) -> {
              assertThat(partitions).allMatch(number -> primaries.get(number).equals(node));
              served.addAll(partitions);
            });
    assertThat(served)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, primaries.size()).boxed().toList());
  }
}
