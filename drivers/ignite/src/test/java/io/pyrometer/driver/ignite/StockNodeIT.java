package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import org.apache.ignite.Ignition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Measuring a running cluster that knows nothing of Pyrometer. */
class StockNodeIT {
  private static final int KEYS = 2_000;
  private static final Records ORDERS = Orders.pool();

  @TempDir static Path folder;
  private static StockNode node;
  private static GridSession session;

  @BeforeAll
  static void attach() throws Exception {
    node = StockNode.start(folder);
    session = new IgniteDriver().openSession(node.attaching());
    Ignition.ignite("agent-7").cache(StockNode.CACHE).put(1L, "theirs");
  }

  @AfterAll
  static void stop() {
    try {
      session.close();
    } finally {
      node.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "put",
        "put-async",
        "put-all",
        "put-all-double-buffer",
        "put-all-async",
        "streamer",
        "streamer-overwrite",
        "streamer-batched",
        "ignite-writer"
      })
  void whatIsWrittenIsReadBackWithoutOurClassesOnTheServers(String path) throws Exception {
    TrialSpec spec = Expected.trial(path, KEYS, ORDERS, Settings.NONE);
    TrialSession trial = session.open(spec, ORDERS, true);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> (int) (key % ORDERS.size()));
    }
    ContentDigest found = trial.digest();
    trial.destroy();
    assertThat(found).isEqualTo(Expected.records(ORDERS, KEYS, key -> key));
    assertThat(Ignition.ignite("agent-7").cacheNames())
        .contains(StockNode.CACHE)
        .doesNotContain(NodeMetrics.CACHE_PREFIX + spec.id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "get-all", "scan", "sql-aggregate"})
  void theWholeSetIsReadWithoutOurClassesOnTheServers(String path) throws Exception {
    TrialSpec spec = Expected.trial(path, KEYS, ORDERS, Settings.NONE);
    TrialSession trial = session.open(spec, ORDERS, true);
    trial.fill(0, KEYS);
    try (AccessPath opened = trial.path(new LoadThread(0, 1))) {
      Drive.over(opened, KEYS, key -> 0);
      assertThat(opened.takeAnswer()).isEqualTo(Aggregation.truth(ORDERS, Settings.NONE, KEYS));
    }
    trial.destroy();
  }

  @Test
  void aPathThatNeedsOurClassesThereSaysSo() {
    for (String path : List.of("compute", "compute-affinity")) {
      assertThatThrownBy(
              () -> {
                TrialSession trial =
                    session.open(Expected.trial(path, KEYS, ORDERS, Settings.NONE), ORDERS, true);
                trial.path(new LoadThread(0, 1)).close();
              })
          .isInstanceOf(GridException.class)
          .hasMessageContaining(path);
    }
  }

  @Test
  void whatOthersKeepThereIsLeftAlone() {
    assertThat(Ignition.ignite("agent-7").cache(StockNode.CACHE).get(1L)).isEqualTo("theirs");
  }
}
