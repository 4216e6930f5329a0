package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class InfinispanPropertiesIT extends PropertiesContract {
  @Override
  protected GridDriver driver() {
    return new InfinispanDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of(
        "properties.jgroups.TCP.bundler.max_size",
        "128000",
        "properties.cache.locking.striping",
        "true");
  }

  @Override
  protected Map<String, String> found() {
    return Map.of("cache.lock-striping", "true");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("properties.cache.locking.stripng", "true");
  }

  @Override
  protected String refusal() {
    return "stripng";
  }
}
