package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.ignite.settings.ProductSettings;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every setting that is a property of Ignite's configuration is in effect on a running node. */
class ProductSettingsIT {
  private static final Records ORDERS = Orders.stockOrders(10);

  /** Values that are not Ignite's defaults. */
  private static final Map<String, Object> GIVEN =
      Map.ofEntries(
          Map.entry("striped-pool", 3L),
          Map.entry("system-pool", 5L),
          Map.entry("public-pool", 6L),
          Map.entry("query-pool", 7L),
          Map.entry("streamer-pool", 2L),
          Map.entry("connections-per-node", 2L),
          Map.entry("selectors", 3L),
          Map.entry("direct-buffer", false),
          Map.entry("direct-send-buffer", true),
          Map.entry("socket-send-buffer", 65_536L),
          Map.entry("socket-receive-buffer", 131_072L),
          Map.entry("message-queue-limit", 512L),
          Map.entry("page-size", 8_192L),
          Map.entry("lazy-allocation", false),
          Map.entry("page-replacement", "SEGMENTED_LRU"),
          Map.entry("checkpoint-frequency", 20.0),
          Map.entry("checkpoint-threads", 2L),
          Map.entry("checkpoint-buffer", 100L << 20),
          Map.entry("write-throttling", true),
          Map.entry("wal-segment-size", 16L << 20),
          Map.entry("wal-buffer", 2L << 20),
          Map.entry("wal-compaction", true),
          Map.entry("rebalance-pool", 2L),
          Map.entry("rebalance-batch", 1L << 20),
          Map.entry("rebalance-throttle", 0.025),
          Map.entry("copy-on-read", false),
          Map.entry("cache-statistics", true),
          Map.entry("query-parallelism", 2L));

  @Test
  void whatIsGivenIsInEffect(@TempDir Path folder) throws Exception {
    assertThat(GIVEN.keySet())
        .containsExactlyInAnyOrderElementsOf(
            ProductSettings.ALL.stream().map(SettingDescription::name).toList());
    Map<String, Object> process = new TreeMap<>(GIVEN);
    process
        .keySet()
        .removeIf(
            name ->
                ProductSettings.ALL.stream()
                    .anyMatch(s -> s.name().equals(name) && s.scope() != Scope.PROCESS));
    process.putAll(
        Map.of("persistence", true, "wal-archive", false, "wal-segments", 3, "region", 256L << 20));
    Settings all = new Settings(process).with(new Settings(GIVEN));
    try (Cluster cluster = Cluster.start(1, folder, Optional.empty(), new Settings(process));
        GridSession session = new IgniteDriver().openSession(cluster.session(false))) {
      TrialSession trial = session.open(Expected.trial("put-all", 100, ORDERS, all), ORDERS, true);
      Map<String, String> found = trial.configuration();
      GIVEN.forEach(
          (name, value) ->
              assertThat(found).containsEntry(ProductSettings.fact(name), String.valueOf(value)));
      assertThat(found).containsEntry("storage.wal-archive", "false");
      trial.destroy();
    }
  }

  /** Their defaults are the product's own, which are read and not copied. */
  @Test
  void defaultsAreThoseOfTheProduct() {
    for (SettingDescription setting : ProductSettings.ALL) {
      assertThat(setting.initial()).as(setting.name()).isEmpty();
      assertThat(setting.traits().tunable().orElseThrow().productDefault().orElse(""))
          .as(setting.name())
          .isNotEmpty();
    }
  }
}
