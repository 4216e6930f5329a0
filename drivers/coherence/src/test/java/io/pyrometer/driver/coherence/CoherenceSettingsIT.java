package io.pyrometer.driver.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import com.tangosol.internal.net.cluster.DefaultClusterDependencies;
import com.tangosol.internal.net.service.grid.DefaultPartitionedCacheDependencies;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.SettingsContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("extended")
class CoherenceSettingsIT extends SettingsContract {
  private static final Map<String, String> OTHER_FACTS =
      Map.of("backups", "cache.backups", "partitions", "server.partitions");

  @Override
  protected GridDriver driver() {
    return new CoherenceDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("backups", 2L),
        Map.entry("partitions", 31L),
        Map.entry("async-backup", true),
        Map.entry("persistence-mode", "active"),
        Map.entry("cache-profile", "thin"),
        Map.entry("threads-min", 3L),
        Map.entry("threads-max", 5L),
        Map.entry("compressor", "standard"),
        Map.entry("transfer-threshold", 256L << 10),
        Map.entry("distribution-aggressiveness", 40L),
        Map.entry("request-timeout", 12.5),
        Map.entry("resend-interval", 0.3));
  }

  @Override
  protected String fact(String setting) {
    return OTHER_FACTS.getOrDefault(setting, super.fact(setting));
  }

  /** All others are read from Coherence when they are declared. */
  @Test
  void defaultsAreThoseOfTheProduct() {
    assertThat(productDefault("threads-min")).isEqualTo("max(1, CPUs)");
    assertThat(new DefaultPartitionedCacheDependencies().getWorkerThreadCountMin())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(productDefault("resend-interval"))
        .isEqualTo(new DefaultClusterDependencies().getPublisherResendDelayMillis() / 1e3 + "s");
  }
}
