package io.pyrometer.driver.hazelcast;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class HazelcastPropertiesIT extends PropertiesContract {
  HazelcastPropertiesIT() {
    super(
        new HazelcastDriver(),
        Map.of(
            "properties.hazelcast.io.thread.count", "4",
            "properties.cache.statistics-enabled", "true"),
        Map.of("properties.hazelcast.io.thread.count", "4", "cache.statistics", "true"),
        Map.of("properties.cache.statistics-enabld", "true"),
        "statistics-enabld");
  }
}
