package io.pyrometer.driver.coherence;

import io.pyrometer.driver.testkit.PropertiesContract;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("extended")
class CoherencePropertiesIT extends PropertiesContract {
  CoherencePropertiesIT() {
    super(
        new CoherenceDriver(),
        Map.of("properties.coherence.distributed.threads.max", "7"),
        Map.of("server.threads-max", "7"),
        Map.of("properties.coherence.distributed.threads.max", "many"),
        "many");
  }
}
