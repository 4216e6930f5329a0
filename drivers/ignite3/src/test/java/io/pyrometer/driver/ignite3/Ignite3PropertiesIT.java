package io.pyrometer.driver.ignite3;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class Ignite3PropertiesIT extends PropertiesContract {
  @Override
  protected GridDriver driver() {
    return new Ignite3Driver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of("replicas", 1L, "properties.ignite.raft.disruptor.stripes", "3");
  }

  @Override
  protected Map<String, String> found() {
    return Map.of("properties.ignite.raft.disruptor.stripes", "3");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("replicas", 1L, "properties.ignite.raft.disruptr.stripes", "3");
  }

  @Override
  protected String refusal() {
    return "disruptr";
  }
}
