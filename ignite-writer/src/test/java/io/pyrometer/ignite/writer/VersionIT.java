package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that depend on Ignite's version: the build runs it with the oldest and with the newest that
 * the writer supports.
 */
@Tag("extended")
class VersionIT {
  private static TestCluster cluster;
  private static Ignite thick;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(2);
    thick = cluster.thick();
  }

  @AfterAll
  static void stop() {
    try {
      thick.close();
    } finally {
      cluster.close();
    }
  }

  private static IgniteCache<Long, Object> cache(String name) {
    return thick.getOrCreateCache(
        TestCluster.<Long, Object>cache(name)
            .setBackups(1)
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
  }

  private static void write(IgniteWriter<Long, Object> writer) {
    for (long version = 0; version < 20_000; version++) {
      writer.write(version % 1_000, new StockOrder(version));
    }
    writer.remove(7L);
    writer.write(7L, "again");
    writer.flush();
  }

  private static void check(IgniteCache<Long, Object> cache) {
    assertThat(cache.size()).isEqualTo(1_000);
    assertThat(cache.get(7L)).isEqualTo("again");
    assertThat(((StockOrder) cache.get(999L)).version()).isEqualTo(19_999);
  }

  @Test
  void thisIsTheVersionThatWasAskedFor() {
    assertThat(thick.cluster().node().version().toString())
        .startsWith(System.getProperty("ignite.expected"));
    assertThat(thick.cluster().forServers().nodes())
        .allSatisfy(
            node ->
                assertThat(node.version().toString())
                    .startsWith(System.getProperty("ignite.expected")));
  }

  @Test
  void aThickClientsLastWritesRemain() {
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache("thick")).open()) {
      write(writer);
      assertThat(new HashSet<>(new ThickPort(cache("thick"), new Settings()).primaries()))
          .hasSize(2);
    }
    check(cache("thick"));
  }

  @Test
  void aThinClientsLastWritesRemainAndItsConfigurationIsFoundWhereIgniteKeepsIt() {
    IgniteCache<Long, Object> cache = cache("thin");
    try (IgniteClient thin = cluster.thin()) {
      ThinInternals.of(thin.cache("thin")).requireNoRetries();
      try (IgniteWriter<Long, Object> writer =
          IgniteWriter.to(thin.<Long, Object>cache("thin")).open()) {
        write(writer);
      }
    }
    check(cache);
  }

  @Test
  void aThinClientsBatchesGoStraightToThePrimaryNodeOfTheirKeys() {
    StraightBatches.check(cluster, thick);
  }

  @Test
  void aThinClientThatRepeatsWritesIsRefused() {
    cache("plain");
    ClientConfiguration repeating =
        new ClientConfiguration().setAddresses("127.0.0.1:" + cluster.thinPort(0));
    try (IgniteClient thin = Ignition.startClient(repeating)) {
      assertThatThrownBy(() -> IgniteWriter.to(thin.<Long, Object>cache("plain")).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("ClientRetryReadPolicy");
    }
  }

  @Test
  void aKilledNodeLosesNothing() throws Exception {
    IgniteCache<Long, Object> cache = cache("kill");
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
