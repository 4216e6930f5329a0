package io.pyrometer.load.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrittenVersionsTest {
  @Test
  void aStallLastsUntilTheEndIfNothingIsAcknowledgedAnyMore() throws Exception {
    WrittenVersions writes = new WrittenVersions(1);
    writes.acknowledge(new long[] {0}, new int[] {1});
    writes.mark();
    Thread.sleep(50);
    assertThat(writes.counts(0, 0, 0).worstStallSeconds()).isZero();
    writes.end();
    assertThat(writes.counts(0, 0, 0).worstStallSeconds()).isGreaterThanOrEqualTo(0.05);
    assertThat(writes.counts(0, 0, 0).stallUnended()).isTrue();
  }

  @Test
  void aStallThatAnAcknowledgementEndedIsKnownToItsEnd() throws Exception {
    WrittenVersions writes = new WrittenVersions(1);
    Thread.sleep(50);
    writes.acknowledge(new long[] {0}, new int[] {1});
    writes.end();
    assertThat(writes.counts(0, 0, 0).worstStallSeconds()).isGreaterThanOrEqualTo(0.05);
    assertThat(writes.counts(0, 0, 0).stallUnended()).isFalse();
  }
}
