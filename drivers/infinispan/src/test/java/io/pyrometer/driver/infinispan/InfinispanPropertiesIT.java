package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class InfinispanPropertiesIT extends PropertiesContract {
  InfinispanPropertiesIT() {
    super(
        new InfinispanDriver(),
        Map.of(
            "properties.jgroups.TCP.bundler.max_size", "128000",
            "properties.cache.locking.striping", "true"),
        Map.of("cache.lock-striping", "true"),
        Map.of("properties.cache.locking.stripng", "true"),
        "stripng");
  }
}
