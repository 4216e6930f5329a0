package io.pyrometer.driver.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.CacheDeserializedValues;
import com.hazelcast.config.MapConfig;
import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemberTest {
  private static Settings given(String name, String value) {
    return new Settings(Map.of("properties." + name, value));
  }

  @Test
  void optionsOfTheMapAreKeysOfHazelcastsYaml() {
    MapConfig map = Member.map("m", given("cache.cache-deserialized-values", "ALWAYS"));
    assertThat(map.getCacheDeserializedValues()).isEqualTo(CacheDeserializedValues.ALWAYS);
    assertThat(map.isStatisticsEnabled()).isFalse();
    assertThat(Member.map("m", given("cache.statistics-enabled", "true")).isStatisticsEnabled())
        .isTrue();
  }

  @Test
  void optionsOfTheMemberAreKeysOfHazelcastsYaml() {
    assertThat(
            Member.configuration(given("metrics.enabled", "false")).getMetricsConfig().isEnabled())
        .isFalse();
  }

  @Test
  void anOptionThatHazelcastRefusesIsRefusedInItsWords() {
    assertThatThrownBy(() -> Member.map("m", given("cache.statistics-enabld", "true")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("statistics-enabld");
    assertThatThrownBy(() -> Member.configuration(given("metrics.enabled", "maybe")))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("metrics.enabled=maybe");
  }
}
