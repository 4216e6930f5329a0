package io.pyrometer.driver.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.SettingsContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.core.configuration.ProtocolServerConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("extended")
class InfinispanSettingsIT extends SettingsContract {
  private static final Map<String, String> OTHER_FACTS = Map.of("segments", "cache.segments");

  @Override
  protected GridDriver driver() {
    return new InfinispanDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("segments", 32L),
        Map.entry("mode", "ASYNC"),
        Map.entry("cache-statistics", true),
        Map.entry("storage", "OFF_HEAP"),
        Map.entry("lock-striping", true),
        Map.entry("lock-timeout", 4.5),
        Map.entry("remote-timeout", 7.5),
        Map.entry("state-transfer-chunk", 100L),
        Map.entry("when-split", "DENY_READ_WRITES"),
        Map.entry("non-blocking-threads", 6L),
        Map.entry("blocking-threads", 20L),
        Map.entry("endpoint-threads", 3L),
        Map.entry("socket-send-buffer", 64L << 10),
        Map.entry("socket-receive-buffer", 128L << 10),
        Map.entry("bundler", "no-bundler"),
        Map.entry("bundle-size", 32_000L),
        Map.entry("flow-control-credits", 2_000_000L));
  }

  @Override
  protected String fact(String setting) {
    return OTHER_FACTS.getOrDefault(setting, super.fact(setting));
  }

  /** All others are read from Infinispan when they are declared. */
  @Test
  void defaultsThatDependOnTheMachineAreThoseOfTheProduct() {
    int twice = 2 * Runtime.getRuntime().availableProcessors();
    assertThat(productDefault("non-blocking-threads")).isEqualTo("max(1, CPUs * 2)");
    assertThat(KnownComponentNames.getDefaultThreads(KnownComponentNames.NON_BLOCKING_EXECUTOR))
        .isEqualTo(twice);
    assertThat(productDefault("endpoint-threads")).isEqualTo("max(1, CPUs * 2)");
    assertThat(ProtocolServerConfiguration.IO_THREADS.getDefaultValue()).isEqualTo(twice);
  }

  /** JGroups counts in thousands. */
  @Test
  void defaultsOfJGroupsAreThoseOfInfinispansOwnStack() throws IOException {
    try (InputStream stack =
        Objects.requireNonNull(
            DefaultCacheManager.class.getResourceAsStream(
                "/org/infinispan/configuration/default-jgroups-tcp.xml"))) {
      assertThat(new String(stack.readAllBytes(), StandardCharsets.UTF_8))
          .contains(
              "jgroups.bundler.type:" + InfinispanSettings.BUNDLER.description().initial().get(),
              "jgroups.bundler.max_size:64k",
              "jgroups.max_credits:4m");
    }
    assertThat(InfinispanSettings.BUNDLE_SIZE.description().initial()).contains(64_000L);
    assertThat(InfinispanSettings.CREDITS.description().initial()).contains(4_000_000L);
  }
}
