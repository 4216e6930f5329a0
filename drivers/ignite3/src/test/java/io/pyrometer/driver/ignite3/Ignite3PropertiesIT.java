package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class Ignite3PropertiesIT extends PropertiesContract {
  Ignite3PropertiesIT() {
    super(
        new Ignite3Driver(),
        Map.of("replicas", 1L, "properties.ignite.raft.disruptor.stripes", "3"),
        Map.of("properties.ignite.raft.disruptor.stripes", "3"),
        Map.of("replicas", 1L, "properties.ignite.raft.disruptr.stripes", "3"),
        "disruptr");
  }
}
