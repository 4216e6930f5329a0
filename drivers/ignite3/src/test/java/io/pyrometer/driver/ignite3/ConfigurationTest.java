package io.pyrometer.driver.ignite3;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
  @Test
  void optionsAreLinesOfTheNodesConfiguration() {
    Settings complete =
        new Ignite3Driver()
            .describe()
            .complete(new Settings(Map.of("properties.ignite.sql.planner.threadCount", "2")));
    assertThat(Ignite3Server.configuration(complete))
        .contains("engine: aimem", "ignite.raft.fsync: false")
        .endsWith("ignite.sql.planner.threadCount: 2\n");
  }
}
