package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Node processes live no longer than whoever holds their pipes. */
class ClusterEndIT {

  @Test
  void nodesEndWhenTheirInputEnds(@TempDir Path folder) throws Exception {
    try (Cluster cluster = Cluster.start(2, folder)) {
      assertThat(cluster.endsByItself(5)).isTrue();
    }
  }
}
