package io.pyrometer.driver.hazelcast;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class HazelcastPropertiesIT extends PropertiesContract {
  @Override
  protected GridDriver driver() {
    return new HazelcastDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of(
        "properties.hazelcast.io.thread.count", "4", "properties.cache.statistics-enabled", "true");
  }

  @Override
  protected Map<String, String> found() {
    return Map.of("properties.hazelcast.io.thread.count", "4", "cache.statistics", "true");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("properties.cache.statistics-enabld", "true");
  }

  @Override
  protected String refusal() {
    return "statistics-enabld";
  }
}
