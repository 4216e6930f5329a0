package io.pyrometer.driver.coherence;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class CoherencePropertiesIT extends PropertiesContract {
  @Override
  protected GridDriver driver() {
    return new CoherenceDriver();
  }

  @Override
  protected Map<String, Object> given() {
    return Map.of("properties.coherence.distributed.threads.max", "7");
  }

  @Override
  protected Map<String, String> found() {
    return Map.of("server.threads-max", "7");
  }

  @Override
  protected Map<String, Object> refused() {
    return Map.of("properties.coherence.distributed.threads.max", "many");
  }

  @Override
  protected String refusal() {
    return "many";
  }
}
