package io.pyrometer.coordinator.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Check;
import io.pyrometer.protocol.MachineReading;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineWatchTest {
  /** Over five seconds on two cores. */
  private static List<String> disturbed(
      double busy, double own, double steal, double waited, long throttled, long stepMillis) {
    MachineReading over =
        new MachineReading(
            "boot",
            Optional.of(new MachineReading.Cpu(2, busy, steal, 10)),
            Optional.of(new MachineReading.Throttled(throttled, throttled / 10.0)),
            Optional.of(waited),
            5_000 + stepMillis,
            5_000_000_000L);
    return MachineWatch.checks(over, own, false).stream()
        .filter(Check::disturbed)
        .map(Check::name)
        .toList();
  }

  @Test
  void eachDisturbanceIsNamed() {
    assertThat(disturbed(8, 8, 0, 2, 0, 0)).isEmpty();
    assertThat(disturbed(8, 5.5, 0, 2, 0, 0)).containsExactly("other processes");
    assertThat(disturbed(8, 8, 0.2, 2, 0, 0)).containsExactly("steal");
    assertThat(disturbed(8, 8, 0, 2, 3, 0)).containsExactly("CPU quota");
    assertThat(disturbed(8, 8, 0, 2, 0, 60)).containsExactly("clock step");
  }

  @Test
  void waitingForACpuCountsWhereOwnProcessesLeftRoomAndOthersWereAtWork() {
    assertThat(disturbed(1.5, 1, 0, 2, 0, 0)).containsExactly("CPU pressure");
    assertThat(disturbed(1.5, 1, 0, 0.4, 0, 0)).as("little of it").isEmpty();
    assertThat(disturbed(1, 1, 0, 2, 0, 0)).as("nobody else").isEmpty();
    assertThat(disturbed(6.5, 6, 0, 2, 0, 0)).as("no room").isEmpty();
  }
}
