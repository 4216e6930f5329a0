package io.pyrometer.analysis.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BlockSimulationTest {

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
