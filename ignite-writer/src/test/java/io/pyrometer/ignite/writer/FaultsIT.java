package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers die by kill -9, are stopped, clients are cut off, connections broken, while writers write
 * to caches: once each, or {@code -Dfaults.times} times with {@code -Dfaults.rate} writes a second,
 * as in {@code lab/ignite-writer-faults.md}.
 */
class FaultsIT {
  private static final int TIMES = Integer.getInteger("faults.times", 1);

  /** So few that a server, which shares the processors with the writers, starts soon. */
  private static final int PER_SECOND = Integer.getInteger("faults.rate", 300);

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
    List<CampaignWriter.Row> rows = new FaultCampaign(cluster, PER_SECOND, modes).run(fault, TIMES);
    if (TIMES > 1) {
      rows.forEach(System.out::println);
    }
    assertThat(rows)
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(CampaignWriter.Row::isRight)
        .allSatisfy(
            row -> {
              assertThat(row.failed()).as("%s", row).isZero();
              assertThat(row.acknowledged()).as("%s", row).isPositive().isEqualTo(row.writes());
            });
  }
}
