package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.junit.jupiter.api.Test;

class HashTopologyTest {
  private final AtomicReference<Optional<Placement>> known =
      new AtomicReference<>(Optional.empty());

  @Test
  void aClientThatKnowsNoNodesHasTheDefaultPartitionsOnOne() {
    HashTopology topology = new HashTopology(known::get);
    assertThat(topology.partitions()).isEqualTo(1_024);
    assertThat(topology.placement().nodes()).isOne();
  }

  @Test
  void keysAreWhereTheCachesOwnFunctionHasThem() {
    known.set(Optional.of(Placement.ofPrimaries(List.of("a", "b", "c", "a"))));
    HashTopology topology = new HashTopology(known::get);
    RendezvousAffinityFunction own = new RendezvousAffinityFunction(false, 4);
    for (long key = 0; key < 1_000; key++) {
      assertThat(topology.partition(key)).isEqualTo(own.partition(key));
    }
  }

  @Test
  void placementsFollowTheClusterAndStayWhileTheClientKnowsNothing() {
    Placement first = Placement.ofPrimaries(List.of("a", "b"));
    Placement moved = Placement.ofPrimaries(List.of("b", "b"));
    known.set(Optional.of(first));
    HashTopology topology = new HashTopology(known::get);
    assertThat(topology.placement()).isEqualTo(first);
    known.set(Optional.empty());
    assertThat(topology.placement()).isEqualTo(first);
    known.set(Optional.of(moved));
    assertThat(topology.placement()).isEqualTo(moved);
    known.set(Optional.of(Placement.ofPrimaries(List.of("a", "b", "c"))));
    assertThat(topology.placement()).as("partitions never change").isEqualTo(moved);
  }
}
