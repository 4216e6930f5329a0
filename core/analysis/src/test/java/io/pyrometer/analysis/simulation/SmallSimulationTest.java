package io.pyrometer.analysis.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SmallSimulationTest {

  /** So that no claim of the table rots unseen; its limits are as wide as so few cases ask for. */
  @Tag("simulation")
  @Test
  void noClaimIsFarFromItsTable() {
    assertThat(Simulate.failedOfSmall()).isEmpty();
  }

  /** A tenth of the cases of every cell; {@link Simulate} prints them in full. */
  @Tag("simulation")
  @Test
  void theBlockModelCoversWhatItClaimsInEveryCell() {
    assertThat(
            BlockClaims.all().stream()
                .map(claim -> claim.simulated(0.1))
                .filter(found -> !found.holds())
                .map(Simulated::row))
        .isEmpty();
  }
}
