package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers die by kill -9, are stopped, clients are cut off, while the writer writes with one backup
 * and FULL_SYNC: a few times each; {@link FaultCampaign} does it often.
 */
class FaultsIT {
  @ParameterizedTest
  @CsvSource({"kills, 1", "stops, 1", "reconnects, 1"})
  void noWriteFailsAndNoAcknowledgedOneIsLost(String fault, int times) throws Exception {
    VersionedWrites.Outcome outcome =
        FaultCampaign.run(fault, times, CacheWriteSynchronizationMode.FULL_SYNC);
    assertThat(outcome.failed()).as("%s", outcome).isZero();
    assertThat(outcome.acknowledged()).as("%s", outcome).isEqualTo(outcome.writes());
    VersionedWrites.checkNothingLost(outcome);
  }

  /** As many as one likes: {@code -Dcampaign=kills=100,stops=50,reconnects=50,relays=50}. */
  @Test
  @EnabledIfSystemProperty(named = "campaign", matches = ".+")
  void campaign() throws Exception {
    List<String> options = List.of(System.getProperty("campaign").split(","));
    FaultCampaign.run(options).values().forEach(VersionedWrites::checkNothingLost);
  }

  @Test
  void brokenConnectionsOfAThinClientFailWritesByNameAndLoseNoAcknowledgedOne() throws Exception {
    VersionedWrites.Outcome outcome =
        FaultCampaign.run("relays", 3, CacheWriteSynchronizationMode.FULL_SYNC);
    assertThat(outcome.failed()).as("%s", outcome).isPositive();
    assertThat(outcome.acknowledged() + outcome.failed()).isEqualTo(outcome.writes());
    VersionedWrites.checkNothingLost(outcome);
  }

  @Test
  void aThinClientGoesOnAfterItsNodeDied() throws Exception {
    try (TestCluster cluster = TestCluster.start(2);
        Ignite thick = cluster.thick()) {
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
        writer.releaseKeysInDoubt(); // who had them is gone
        writes.awaitWritten(50_000);
        writes.stop(writing);
        writer.flushAsync().handle((done, error) -> done).join();
      }
      VersionedWrites.checkNothingLost(writes.outcome(cache));
    }
  }
}
