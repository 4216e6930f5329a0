package io.pyrometer.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.TrialResult.Check;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineWatchTest {
  private static MachineReading reading(
      double busy, double steal, double total, long throttled, long wallMillis) {
    return new MachineReading(
        Optional.of(new MachineReading.Cpu(busy, steal, total)),
        Optional.of(throttled),
        Optional.of(40.0),
        wallMillis,
        0);
  }

  private static List<String> disturbed(MachineReading after, double own) {
    MachineReading before = reading(0, 0, 0, 0, 0);
    return MachineWatch.checks(before, after, own, Limits.USUAL).stream()
        .filter(Check::disturbed)
        .map(Check::name)
        .toList();
  }

  @Test
  void theCpuLineOfProcStatIsReadInSeconds() {
    assertThat(MachineReading.cpu(List.of("cpu  100 0 50 800 20 0 10 20 0 0", "cpu0 1 2 3")))
        .contains(new MachineReading.Cpu(1.6, 0.2, 10.0));
    assertThat(MachineReading.pressure(List.of("some avg10=87.46 avg60=77.29 avg300=1 total=6")))
        .contains(87.46);
  }

  @Test
  void eachDisturbanceIsNamed() {
    assertThat(disturbed(reading(8, 0, 10, 0, 0), 8)).isEmpty();
    assertThat(disturbed(reading(8, 0, 10, 0, 0), 5.5)).containsExactly("other processes");
    assertThat(disturbed(reading(8, 0.2, 10, 0, 0), 8)).containsExactly("steal");
    assertThat(disturbed(reading(8, 0, 10, 3, 0), 8)).containsExactly("CPU quota");
    assertThat(disturbed(reading(8, 0, 10, 0, 60), 8)).containsExactly("clock step");
    assertThat(disturbed(reading(1, 0, 10, 0, 0), 1)).containsExactly("CPU pressure");
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
