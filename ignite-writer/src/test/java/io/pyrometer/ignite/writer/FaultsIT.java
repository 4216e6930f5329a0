package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers die by kill -9, are stopped, clients are cut off, connections broken, while writers write
 * to caches of every kind: once each; {@link FaultCampaign} does it often.
 */
class FaultsIT {
  /** So few that a server, which shares the processors with the writers, starts soon. */
  private static final int PER_SECOND = 1_000;

  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kills", "reconnects", "relays"})
  void noWriteFailsAndNoAcknowledgedOneIsLost(String fault) throws Exception {
    survives(fault);
  }

  /** {@link LeavingServerIT} has the cases that once went wrong. */
  @Test
  @Tag("extended")
  void noWriteFailsAndNoAcknowledgedOneIsLostWhenAServerIsStopped() throws Exception {
    survives("stops");
  }

  private void survives(String fault) throws Exception {
    List<CampaignWriter.Row> rows = new FaultCampaign(cluster, false, PER_SECOND).run(fault, 1);
    assertThat(rows)
        .hasSizeGreaterThanOrEqualTo(4)
        .allMatch(CampaignWriter.Row::isRight)
        .allSatisfy(
            row -> {
              assertThat(row.failed()).as("%s", row).isZero();
              assertThat(row.acknowledged()).as("%s", row).isPositive().isEqualTo(row.writes());
            });
  }

  @Test
  @Tag("endurance")
  void aSecondKillBeforeCopiesAreCompleteLosesOnlyKeysWhoseOnlyCompleteCopyDied() throws Exception {
    IgniteLosses.Overlap overlap = new IgniteLosses(cluster, (format, of) -> {}).overlaps(1);
    assertThat(overlap.lostElsewhere()).isZero();
    assertThat(overlap.singleCopies()).isPositive();
    assertThat(overlap.lostInSingleCopies()).isPositive();
  }
}
