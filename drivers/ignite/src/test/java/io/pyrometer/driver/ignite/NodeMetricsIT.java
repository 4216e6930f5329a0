package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.GridMetrics.GridMetric;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.ignite.internal.IgniteEx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server node in this JVM, and a client of it. */
class NodeMetricsIT {
  private static final int KEYS = 500;
  private static final Records ORDERS = Orders.pool();

  @Test
  void whatAClientWritesIsCountedByTheNodeThatTakesIt(@TempDir Path folder) throws Exception {
    ServerNode node = start(folder, Settings.NONE);
    try (GridSession session = Expected.session(node, folder)) {
      TrialSession trial =
          session.open(Expected.trial("put", KEYS, ORDERS, Settings.NONE), ORDERS, true);
      GridMetrics ofNode = node.metrics().orElseThrow();
      GridMetrics ofClient = session.metrics().orElseThrow();
      ofNode.enable();
      ofClient.enable();
      Map<String, Double> before = values(ofNode);
      Map<String, Double> clientBefore = values(ofClient);
      Drive.over(trial, KEYS, key -> (int) (key % ORDERS.size()));
      Map<String, Double> after = valuesOnceThePoolHasFinished(ofNode, before);
      Map<String, Double> clientAfter = values(ofClient);

      assertThat(after.get("cache.puts") - before.get("cache.puts")).isEqualTo(KEYS);
      assertThat(after.get("cache.primary-entries")).isEqualTo(KEYS);
      assertThat(grown("communication.received-messages", before, after))
          .isGreaterThanOrEqualTo(KEYS);
      assertThat(grown("communication.received-bytes", before, after)).isGreaterThan(100.0 * KEYS);
      assertThat(grown("communication.sent-messages", clientBefore, clientAfter))
          .isGreaterThanOrEqualTo(KEYS);
      assertThat(grown("striped-pool.tasks", before, after)).isGreaterThanOrEqualTo(KEYS);
      assertThat(after.get("data-region.used")).isPositive();
      assertThat(clientAfter).as("a client stores nothing").doesNotContainKey("data-region.used");
      assertThat(after).containsKeys("striped-pool.queue", "communication.outbound-queue");

      assertThat(ofNode.activities()).as("a node in memory makes no checkpoints").isEmpty();
    } finally {
      node.close();
    }
  }

  @Test
  void checkpointsAndFullSegmentsOfTheWalAreTold(@TempDir Path folder) throws Exception {
    Settings persistent =
        new Settings(
            Map.of(
                "persistence", true,
                "telemetry", "grid",
                "properties.dataStorageConfiguration.walSegmentSize", "524288"));
    ServerNode node = start(folder, persistent);
    try {
      GridMetrics metrics = node.metrics().orElseThrow();
      metrics.enable();
      long before = System.currentTimeMillis();
      IgniteEx ignite = (IgniteEx) node.ignite();
      ignite.getOrCreateCache("changed").put(1, 1);
      ignite.context().cache().context().database().waitForCheckpoint("a test");
      GridActivity checkpoint = metrics.activities().get("checkpoint").orElseThrow();
      assertThat(checkpoint.startMillis()).isBetween(before - 1_000, System.currentTimeMillis());
      assertThat(checkpoint.millis()).isNotNegative();

      for (int i = 0; i < 8; i++) {
        ignite.cache("changed").put(i, new byte[100_000]);
      }
      GridActivity rotation = metrics.activities().get("WAL rotation").orElseThrow();
      assertThat(rotation.startMillis()).isBetween(before - 1_000, System.currentTimeMillis());
    } finally {
      node.close();
    }
  }

  private static ServerNode start(Path folder, Settings settings) {
    ServerNode node = ServerNode.join(List.of(), folder + "/node", settings);
    node.awaitServers(1, Duration.ofMinutes(1));
    return node;
  }

  /** A stripe answers the client inside the task that it counts as completed only afterwards. */
  private static Map<String, Double> valuesOnceThePoolHasFinished(
      GridMetrics metrics, Map<String, Double> before) {
    Cluster.await(() -> grown("striped-pool.tasks", before, values(metrics)) >= KEYS);
    return values(metrics);
  }

  private static double grown(String name, Map<String, Double> from, Map<String, Double> to) {
    return to.get(name) - from.get(name);
  }

  private static Map<String, Double> values(GridMetrics metrics) {
    return metrics.read().stream().collect(Collectors.toMap(GridMetric::name, GridMetric::value));
  }
}
