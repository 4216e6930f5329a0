package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PropertiesIT {
  private static final Records ORDERS = Orders.stockOrders(10);
  private static final String PAGE = "properties.dataStorageConfiguration.pageSize";

  @Test
  void optionsAreInEffectOnARunningNodeAndItsCache(@TempDir Path folder) throws Exception {
    Map<String, Object> given =
        Map.of(
            PAGE,
            "8192",
            "properties.stripedPoolSize",
            "3",
            "properties.communicationSpi.connectionsPerNode",
            "2",
            "properties.cache.copyOnRead",
            "false");
    Settings settings = new Settings(given);
    try (Cluster cluster = Cluster.start(1, folder, Optional.empty(), settings);
        GridSession session = new IgniteDriver().openSession(cluster.session(false))) {
      TrialSession trial =
          session.open(Expected.trial("put-all", 100, ORDERS, settings), ORDERS, true);
      Map<String, String> found = trial.configuration();
      given.forEach((name, value) -> assertThat(found).containsEntry(name, value.toString()));
      trial.destroy();
    }
  }

  @Test
  void aNodeThatRefusesAnOptionSaysWhyInIgnitesWords(@TempDir Path folder) throws Exception {
    assertThatThrownBy(
            () ->
                Cluster.start(1, folder, Optional.empty(), new Settings(Map.of(PAGE, "5000")))
                    .close())
        .isInstanceOf(IOException.class);
    assertThat(Files.readString(folder.resolve("node-0").resolve("log")))
        .contains("Ignite refused 'dataStorageConfiguration.pageSize'", "power of 2");
  }
}
