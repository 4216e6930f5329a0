package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tests of a whole cluster, and of a killed server, with the oldest and with the newest Ignite
 * that the writer supports, in which the build runs them.
 */
@Tag("extended")
class VersionIT extends ClusterIT {
  @Test
  void thisIsTheVersionThatWasAskedFor() {
    assertThat(thick.cluster().nodes())
        .hasSizeGreaterThan(3)
        .allSatisfy(
            node ->
                assertThat(node.version().toString())
                    .startsWith(System.getProperty("ignite.expected")));
  }

  @Test
  void aThinClientThatRepeatsWritesAsByDefaultIsRefused() {
    thick.createCache(fullSync("plain"));
    ClientConfiguration repeating =
        new ClientConfiguration().setAddresses("127.0.0.1:" + cluster.thinPort(0));
    try (IgniteClient client = Ignition.startClient(repeating)) {
      assertThatThrownBy(() -> IgniteWriter.to(client.<Long, Object>cache("plain")).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ClientRetryReadPolicy");
    }
  }

  @Test
  void aKilledNodeLosesNothing() throws Exception {
    IgniteCache<Long, Object> cache = thick.createCache(fullSync("kill"));
    VersionedWrites writes = new VersionedWrites(2_000);
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
      Thread writing = writes.start(writer);
      writes.awaitWritten(20_000);
      cluster.kill(1);
      writes.awaitWritten(20_000);
      writes.stop(writing);
      writer.flush();
    }
    writes.checkAllThere(cache);
    cluster.revive();
  }
}
