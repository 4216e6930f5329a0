package io.pyrometer.analysis.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The claims of {@link Simulate} on few cases, with limits as wide as so few cases ask for. */
class SmallSimulationTest {
  private static void assertHold(List<Claim> claims, double size) {
    assertThat(Simulate.failed(Simulate.simulated(claims, size))).isEmpty();
  }

  @Test
  void trialsSettleAsOftenAsClaimed() {
    assertHold(SteadyStateClaims.all(), 0.15);
  }

  @Tag("simulation")
  @Test
  void noClaimIsFarFromItsTable() {
    assertHold(Simulate.quick(), 0.02);
  }

  @Tag("simulation")
  @Test
  void theBlockModelCoversWhatItClaimsInEveryCell() {
    assertHold(BlockClaims.all(), 0.1);
  }
}
