package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Test;

class TrialCacheTest {
  private static final Map<String, Object> SETTINGS =
      Map.of(
          "cache-mode",
          "PARTITIONED",
          "atomicity",
          "TRANSACTIONAL",
          "backups",
          2L,
          "synchronisation",
          "FULL_ASYNC",
          "partitions",
          16,
          "read-from-backup",
          false,
          "ttl",
          1.5);

  private static CacheConfiguration<Long, Object> configuration(Settings settings) {
    return TrialCache.configuration("c", settings);
  }

  @Test
  void settingsThatMakeACacheAreReadBackFromIt() {
    Map<String, String> found = GridConfiguration.settings(configuration(new Settings(SETTINGS)));
    assertThat(found)
        .hasSize(SETTINGS.size())
        .containsAllEntriesOf(
            Map.of(
                "cache-mode", "PARTITIONED",
                "atomicity", "TRANSACTIONAL",
                "backups", "2",
                "synchronisation", "FULL_ASYNC",
                "partitions", "16",
                "read-from-backup", "false",
                "ttl", "1.5s"));
  }

  @Test
  void settingsThatAreAbsentHaveTheirDefaults() {
    CacheConfiguration<Long, Object> cache = configuration(Settings.NONE);
    assertThat(cache.getBackups()).isEqualTo(1);
    assertThat(cache.isReadFromBackup()).isTrue();
    assertThat(cache.getAffinity().partitions()).isEqualTo(128);
    assertThat(cache.getWriteSynchronizationMode())
        .isEqualTo(CacheWriteSynchronizationMode.FULL_SYNC);
  }

  @Test
  void aReplicatedCacheHasNoNumberOfBackups() {
    Settings settings = new Settings(SETTINGS).with("cache-mode", "REPLICATED");
    assertThat(configuration(settings).getBackups()).isZero();
  }
}
