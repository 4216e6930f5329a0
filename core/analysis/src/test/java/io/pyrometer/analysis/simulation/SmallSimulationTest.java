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
}
