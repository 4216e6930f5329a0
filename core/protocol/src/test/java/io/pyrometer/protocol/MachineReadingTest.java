package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.MachineReading.Throttled;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineReadingTest {
  private static MachineReading reading(
      double busy, Optional<Throttled> throttled, long wallMillis) {
    return new MachineReading(
        "boot",
        Optional.of(new MachineReading.Cpu(2, busy, busy / 4, 2 * busy)),
        throttled,
        Optional.of(busy / 2),
        wallMillis,
        wallMillis * 1_000_000);
  }

  private static Optional<Throttled> throttled(long times) {
    return Optional.of(new Throttled(times, times / 4.0));
  }

  @Test
  void procStatIsReadInSecondsAndIdleTimeAndGuestsAreNotBusy() {
    List<String> stat =
        List.of(
            "cpu  100 0 50 800 40 0 10 30 7 0",
            "cpu0 50 0 25 400 20 0 5 15 3 0",
            "cpu1 50 0 25 400 20 0 5 15 4 0",
            "intr 1");
    assertThat(MachineReading.cpu(stat)).contains(new MachineReading.Cpu(2, 1.6, 0.3, 10.3));
    assertThat(MachineReading.cpu(List.of("cpu  1 2"))).isEmpty();
  }

  @Test
  void pressureIsTheTimeInWhichSomethingWaited() {
    assertThat(MachineReading.pressure(List.of("some avg10=87.46 avg60=77.29 avg300=1 total=6")))
        .contains(6e-6);
    assertThat(MachineReading.pressure(List.of())).isEmpty();
  }

  @Test
  void throttlingIsReadInBothFormsOfTheKernel() {
    assertThat(
            MachineReading.throttled(
                List.of("nr_periods 40", "nr_throttled 30", "throttled_time 1500000000")))
        .contains(new Throttled(30, 1.5));
    assertThat(
            MachineReading.throttled(
                List.of("usage_usec 1", "nr_throttled 30", "throttled_usec 1500000")))
        .contains(new Throttled(30, 1.5));
    assertThat(MachineReading.throttled(List.of("usage_usec 1"))).as("no quota here").isEmpty();
  }

  @Test
  void countersRiseFromOneReadingToTheNext() {
    MachineReading over = reading(10, throttled(7), 5_000).since(reading(4, throttled(5), 2_000));
    assertThat(over)
        .isEqualTo(
            new MachineReading(
                "boot",
                Optional.of(new MachineReading.Cpu(2, 6, 1.5, 12)),
                throttled(2),
                Optional.of(3.0),
                3_000,
                3_000_000_000L));
    assertThat(reading(10, throttled(7), 5).since(reading(4, Optional.empty(), 2)).throttled())
        .as("a counter that came later")
        .isEmpty();
  }

  @Test
  void theMachineIsTheSameForAllReadings() {
    MachineReading one = MachineReading.now();
    MachineReading two = MachineReading.now();
    assertThat(two.boot()).isEqualTo(one.boot());
    assertThat(two.since(one).nanos()).isNotNegative();
    assertThat(two.since(one).cpu().map(MachineReading.Cpu::busy).orElse(0.0)).isNotNegative();
  }
}
