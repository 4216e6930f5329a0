package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ignite.IgniteCache;
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
