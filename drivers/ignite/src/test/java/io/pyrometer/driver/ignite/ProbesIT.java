package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.load.Records;
import io.pyrometer.load.probe.Probe;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CachePeekMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agreement of probes on a real cluster with what is known of Ignite's paths; {@link
 * IgniteDriverIT} probes those that keep what they promise. The last test kills a node.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProbesIT {
  private static final Records ORDERS = Orders.pool();
  private static final int KILL_KEYS = 20_000;

  @TempDir static Path folder;
  private static Cluster cluster;
  private static GridSession session;
  private static int trials;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(2, folder);
    session = new IgniteDriver().openSession(cluster.session(false));
  }

  @AfterAll
  static void stop() {
    session.close();
    cluster.close();
  }

  @Test
  @Order(1)
  void theStreamerThatDoesNotOverwriteKeepsOldVersionsOfMostKeys() throws Exception {
    ProbeCounts found = order("streamer", Map.of());
    assertThat(found.failedCalls()).isZero();
    assertThat(found.stale()).isGreaterThan(found.checked() / 2);
    assertThat(found.lost()).isZero();
  }

  @Test
  @Order(2)
  void theWriterKeepsTheLastVersionOfEveryKey() throws Exception {
    ProbeCounts found = order("ignite-writer", Map.of("threads", 2));
    assertThat(found.writes()).isGreaterThan(found.checked());
    assertThat(found.staleOrLost()).isZero();
  }

  @Test
  @Order(3)
  void aKilledNodeTakesAcknowledgedRecordsWithItWhereThereIsNoBackup() throws Exception {
    ProbeCounts found = kill(1, Map.of("backups", 0));
    assertThat(found.lost()).isGreaterThan(found.checked() / 20).isLessThan(found.checked());
  }

  private static ProbeCounts order(String path, Map<String, Object> more) throws Exception {
    return probe(ProbeKind.ORDER, path, 2_000, 1, more).end();
  }

  /**
   * @param node the last one, so that as many remain
   */
  private static ProbeCounts kill(int node, Map<String, Object> more) throws Exception {
    Probe probe = probe(ProbeKind.KILL, "put-all", KILL_KEYS, 60, more);
    Ignite client = Ignition.ignite("agent-0");
    IgniteCache<Long, Object> cache = client.cache(NodeMetrics.CACHE_PREFIX + "p" + (trials - 1));
    // The first half of the keys is written before the mark, the second after it.
    EmbeddedGrid.await(() -> cache.size(CachePeekMode.PRIMARY) == KILL_KEYS / 2);
    probe.mark();
    cluster.kill(node);
    EmbeddedGrid.await(() -> client.cluster().forServers().nodes().size() == node);
    EmbeddedGrid.await(() -> cache.containsKey(KILL_KEYS - 1L));
    return probe.end();
  }

  private static Probe probe(
      ProbeKind kind, String path, int keys, double seconds, Map<String, Object> more) {
    Settings settings =
        new Settings(Map.of("path", path, "records", keys, "threads", 1, "batch", 500))
            .with(new Settings(more));
    TrialSpec spec =
        new TrialSpec(
            "p" + trials++, 0, 0, Map.of(), Job.WRITE, settings, ORDERS.shape(), Orders.SEED);
    TrialSession trial = session.open(spec, ORDERS, true);
    Probe probe =
        new Probe(
            kind, spec, ORDERS, !path.equals("streamer"), seconds, trial::path, trial.contents());
    probe.begin();
    return probe;
  }
}
