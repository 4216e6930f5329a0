package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers die by kill -9, are stopped, clients are cut off, connections broken, while writers write
 * to caches: once each; {@link FaultCampaign} does it often.
 */
class FaultsIT {
  /** So few that a server, which shares the processors with the writers, starts soon. */
  private static final int PER_SECOND = 300;

  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kills", "reconnects", "relays"})
  void noWriteFailsAndNoAcknowledgedOneIsLost(String fault) throws Exception {
    survive(fault, CacheWriteSynchronizationMode.FULL_SYNC);
  }

  /** {@link LeavingServerIT} has the cases that once went wrong. */
  @ParameterizedTest
  @ValueSource(strings = {"stops", "kills", "reconnects", "relays"})
  @Tag("extended")
  void noWriteFailsInCachesOfAnyKind(String fault) throws Exception {
    survive(
        fault, CacheWriteSynchronizationMode.FULL_SYNC, CacheWriteSynchronizationMode.PRIMARY_SYNC);
  }

  private void survive(String fault, CacheWriteSynchronizationMode... modes) throws Exception {
    assertThat(new FaultCampaign(cluster, false, PER_SECOND, modes).run(fault, 1))
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(CampaignWriter.Row::isRight)
        .allSatisfy(
            row -> {
              assertThat(row.failed()).as("%s", row).isZero();
              assertThat(row.acknowledged()).as("%s", row).isPositive().isEqualTo(row.writes());
            });
  }
}
