package io.pyrometer.coordinator.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.TrialRecord.Check;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineWatchTest {
  private static final MachineReading BEFORE = reading(0, 0, 0, 0, 0, 0);

  private static MachineReading reading(
      double busy, double steal, double waited, double seconds, long throttled, long wallMillis) {
    return new MachineReading(
        Optional.of(new MachineReading.Cpu(busy, steal, 2 * seconds)),
        Optional.of(throttled),
        Optional.of(waited),
        wallMillis,
        (long) (seconds * 1e9));
  }

  /** After five seconds on two cores. */
  private static List<String> disturbed(
      double busy, double own, double steal, double waited, long throttled, long stepMillis) {
    MachineReading after = reading(busy, steal, waited, 5, throttled, 5_000 + stepMillis);
    return MachineWatch.checks(BEFORE, after, own, false).stream()
        .filter(Check::disturbed)
        .map(Check::name)
        .toList();
  }

  @Test
  void theCpuLineOfProcStatIsReadInSeconds() {
    assertThat(MachineReading.cpu(List.of("cpu  100 0 50 800 20 0 10 20 0 0", "cpu0 1 2 3")))
        .contains(new MachineReading.Cpu(1.6, 0.2, 10.0));
    assertThat(MachineReading.pressure(List.of("some avg10=87.46 avg60=77.29 avg300=1 total=6")))
        .contains(6e-6);
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

  @Test
  void tooLittleMemoryIsOneSentence() {
    assertThat(Preflight.memory(3L << 30, 1L << 30, "3 nodes and 1 agent").orElseThrow())
        .isEqualTo(
            "The 3 nodes and 1 agent need up to 3,072 MB of memory but 1,024 MB are free: ask for"
                + " fewer nodes, or less with --set node-heap=… or agent-heap=….");
    assertThat(Preflight.memory(1L << 30, 3L << 30, "nodes")).isEmpty();
  }
}
