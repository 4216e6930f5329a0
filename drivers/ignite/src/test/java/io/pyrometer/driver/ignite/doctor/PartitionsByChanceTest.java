package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check {@code skewed-entries} takes Ignite's placement of partitions for random. */
class PartitionsByChanceTest {
  private static final int CLUSTERS = 300;

  /** The names of the nodes are fixed, and so is what Ignite's function makes of them. */
  @ParameterizedTest
  @CsvSource({"2, 256", "2, 1024", "5, 256"})
  void primariesVaryOverTheServersAsRandomDrawsDo(int servers, int partitions) {
    double squares = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      double[] primaries = primaries(cluster, servers, partitions);
      double mean = (double) partitions / servers;
      double variance =
          IntStream.range(0, servers)
                  .mapToDouble(i -> (primaries[i] - mean) * (primaries[i] - mean))
                  .sum()
              / (servers - 1);
      squares += variance / mean / mean;
    }
    assertThat(squares / CLUSTERS)
        .isCloseTo((double) servers / partitions, Percentage.withPercentage(30));
  }

  private static double[] primaries(int cluster, int servers, int partitions) {
    List<ClusterNode> nodes =
        IntStream.range(0, servers)
            .mapToObj(i -> node("node-%d-%d".formatted(cluster, i)))
            .toList();
    RendezvousAffinityFunction affinity = new RendezvousAffinityFunction(false, partitions);
    double[] primaries = new double[servers];
    for (int partition = 0; partition < partitions; partition++) {
      primaries[nodes.indexOf(affinity.assignPartition(partition, nodes, 1, null).get(0))]++;
    }
    return primaries;
  }

  private static ClusterNode node(String name) {
    UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return ObservedCluster.node(
        Map.of("consistentId", name, "id", id, "hashCode", name.hashCode(), "toString", name));
  }
}
