package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers die by kill -9, are stopped, clients are cut off, while the writer writes with one backup
 * and FULL_SYNC: once each; {@link FaultCampaign} does it often.
 */
class FaultsIT {
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void revive() throws Exception {
    cluster.revive();
  }

  private static VersionedWrites.Outcome run(String fault, int times) throws Exception {
    return new FaultCampaign(cluster, CacheWriteSynchronizationMode.FULL_SYNC, false)
        .run(fault, times);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kills", "stops", "reconnects"})
  void noWriteFailsAndNoAcknowledgedOneIsLost(String fault) throws Exception {
    VersionedWrites.Outcome outcome = run(fault, 1);
    assertThat(outcome.failed()).as("%s", outcome).isZero();
    assertThat(outcome.acknowledged()).as("%s", outcome).isEqualTo(outcome.writes());
    VersionedWrites.checkNothingLost(outcome);
  }

  @Test
  void aTransactionalCacheIsWrittenAfterItsClientHasBeenAway() throws Exception {
    VersionedWrites.Outcome outcome =
        new FaultCampaign(
                cluster,
                CacheWriteSynchronizationMode.FULL_SYNC,
                CacheAtomicityMode.TRANSACTIONAL,
                false)
            .run("reconnects", 1);
    assertThat(outcome.failed()).as("%s", outcome).isZero();
    assertThat(outcome.acknowledged()).as("%s", outcome).isEqualTo(outcome.writes());
    VersionedWrites.checkNothingLost(outcome);
  }

  @Test
  void aSecondKillBeforeCopiesAreCompleteLosesOnlyKeysWhoseOnlyCompleteCopyDied() throws Exception {
    FaultCampaign campaign =
        new FaultCampaign(cluster, CacheWriteSynchronizationMode.FULL_SYNC, false);
    VersionedWrites.Outcome others = campaign.run("overlaps", 1);
    VersionedWrites.checkNothingLost(others);
    assertThat(campaign.overlap().singleCopies()).isPositive();
    assertThat(campaign.overlap().lostInSingleCopies()).isPositive();
  }

  @Test
  void brokenConnectionsOfAThinClientFailNoWriteAndLoseNone() throws Exception {
    VersionedWrites.Outcome outcome = run("relays", 3);
    assertThat(outcome.failed()).as("%s", outcome).isZero();
    assertThat(outcome.acknowledged()).as("%s", outcome).isEqualTo(outcome.writes());
    VersionedWrites.checkNothingLost(outcome);
  }

  @Test
  void aThinClientGoesOnAfterItsNodeDied() throws Exception {
    try (Ignite thick = cluster.thick("client-thin", new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache =
          thick.createCache(
              new CacheConfiguration<Long, Object>("orders")
                  .setBackups(1)
                  .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
      VersionedWrites writes = new VersionedWrites(20_000);
      try (IgniteClient thin = cluster.thin();
          IgniteWriter<Long, Object> writer =
              IgniteWriter.to(thin.<Long, Object>cache("orders")).open()) {
        Thread writing = writes.start(writer);
        writes.awaitWritten(50_000);
        cluster.kill(0);
        writes.awaitWritten(50_000);
        writes.stop(writing);
        writer.flushAsync().handle((done, error) -> done).join();
      }
      VersionedWrites.checkNothingLost(writes.outcome(cache));
    }
  }
}
