package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that keeps its data in files is activated, written to and read back. */
class PersistenceIT {
  private static final int KEYS = 2_000;
  private static final Records ORDERS = Orders.stockOrders(100);

  @TempDir Path folder;

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    Settings process =
        new Settings(
            Map.of(
                "persistence",
                true,
                "wal-mode",
                "FSYNC",
                "properties.dataStorageConfiguration.walSegments",
                "3",
                "region",
                256L << 20));
    try (Cluster cluster = Cluster.start(1, folder, process);
        GridSession session = new IgniteDriver().openSession(cluster.session(false))) {
      TrialSession trial =
          session.open(Expected.trial("put-all", KEYS, ORDERS, process), ORDERS, true);
      Drive.over(trial, KEYS, key -> (int) (key % ORDERS.size()));
      assertThat(trial.digest()).isEqualTo(Expected.records(ORDERS, KEYS, key -> key));
      assertThat(trial.configuration())
          .containsEntry("cluster.state", "ACTIVE")
          .containsEntry("region.persistence", "true")
          .containsEntry("storage.wal-mode", "FSYNC")
          .containsEntry("storage.wal-segments", "3");
      trial.destroy();
    }
  }
}
