package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Server JVMs die by kill -9, and join, while the writer writes with one backup. */
class KilledNodeIT {
  private static final int KEYS = 20_000;

  private TestCluster cluster;
  private Ignite thick;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.start(3);
    thick = cluster.thick();
  }

  @AfterEach
  void stop() {
    try {
      thick.close();
    } finally {
      cluster.close();
    }
  }

  /**
   * Its values' type is known to the cluster: two senders that were the first to write it were once
   * seen to wait for Ignite's exchange of metadata for ever.
   */
  private IgniteCache<Long, Object> cache() {
    IgniteCache<Long, Object> cache =
        thick.getOrCreateCache(new CacheConfiguration<Long, Object>("orders").setBackups(1));
    cache.put(-1L, new StockOrder(0));
    return cache;
  }

  @Test
  void everyAcknowledgedWriteIsThereAfterANodeDiedAndAnotherJoined() throws Exception {
    IgniteCache<Long, Object> cache = cache();
    VersionedWrites writes = new VersionedWrites(KEYS);
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
      Thread writing = writes.start(writer);
      writes.awaitWritten(50_000);
      cluster.kill(1);
      Eventually.holds("keys moved", () -> writer.stats().topologyChanges() > 0);
      writes.awaitWritten(50_000);
      long moves = writer.stats().topologyChanges();
      cluster.join();
      Eventually.holds("keys moved again", () -> writer.stats().topologyChanges() > moves);
      writes.awaitWritten(50_000);
      writes.stop(writing);
      writer.flush();
      assertThat(writer.stats().failedEntries()).isZero();
    }
    writes.checkAllThere(cache);
  }

  @Test
  void everyAcknowledgedWriteOfAThinClientIsThereAfterItsNodeDied() throws Exception {
    IgniteCache<Long, Object> cache = cache();
    VersionedWrites writes = new VersionedWrites(KEYS);
    try (IgniteClient thin = cluster.thin();
        IgniteWriter<Long, Object> writer =
            IgniteWriter.to(thin.<Long, Object>cache("orders")).open()) {
      Thread writing = writes.start(writer);
      writes.awaitWritten(50_000);
      cluster.kill(0);
      writes.awaitWritten(100_000);
      writes.stop(writing);
      writer.flush();
      assertThat(writer.stats().failedEntries()).isZero();
    }
    writes.checkAllThere(cache);
  }
}
