package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostClocksTest {
  private static final long AHEAD_MICROS = 7_000_000;

  private static final MachineReading HERE = machine("here");

  private final VirtualTime time = new VirtualTime();
  private final FakeGrid grid = new FakeGrid(time);
  private final HostClocks clocks =
      new HostClocks(process -> process.name().equals("agent-0"), HERE, time);

  private List<ManagedProcess> agents(int count) {
    return grid.start(IntStream.range(0, count).mapToObj(i -> "agent-" + i).toArray(String[]::new));
  }

  private static MachineReading machine(String boot) {
    return new MachineReading(boot, Optional.empty(), Optional.empty(), Optional.empty(), 0, 0);
  }

  private HostClocks.Start start(int count) {
    return clocks.start(agents(count), new Command.Measure());
  }

  private void clockOfTheSecondIsAhead() {
    grid.on(
        "agent-1",
        Command.ReadCpu.class,
        (process, told) ->
            Optional.of(
                new Answer.Cpu(
                    0, 0, HostClocks.micros(time.now()) + AHEAD_MICROS, Optional.empty())));
  }

  @Test
  void severalAreToldOneInstantEachByTheClockOfItsHost() {
    clockOfTheSecondIsAhead();
    Instant before = time.now();
    HostClocks.Start start = start(2);
    List<Long> told =
        grid.told(Command.Scheduled.class).stream().map(Command.Scheduled::epochMicros).toList();
    assertThat(told).hasSize(2);
    assertThat(told.get(1) - told.get(0)).isEqualTo(AHEAD_MICROS);
    assertThat(told.get(0)).isEqualTo(HostClocks.micros(start.at().orElseThrow()));
    assertThat(start.at().orElseThrow()).isAfter(before).isBeforeOrEqualTo(time.now());
    assertThat(start.complete()).isEmpty();
  }

  @Test
  void oneThatIsToldTooLateIsNamed() {
    grid.answers("agent-1", Command.Scheduled.class, 0, 1, new Answer.Begun(2_500));
    assertThat(start(2).complete())
        .containsOnlyKeys(Metric.LATE_COMMAND_OF + "agent-1")
        .containsValue(Metric.lowerIsBetter(2.5, "ms"));
  }

  @Test
  void aSingleOneIsToldWhenItIsToBegin() {
    HostClocks.Start start = start(1);
    assertThat(grid.order()).isEmpty();
    assertThat(start.complete()).isEmpty();
    assertThat(grid.order()).containsExactly("agent-0 Measure");
  }

  /** However long its answer takes: a namespace has a host of its own and no other clock. */
  @Test
  void aHostThatIsThisMachineHasItsClock() {
    grid.on(
        "agent-1",
        Command.ReadCpu.class,
        (process, told) -> {
          time.sleep(Duration.ofMillis(40));
          return Optional.of(
              new Answer.Cpu(0, 0, HostClocks.micros(time.now()), Optional.of(machine("here"))));
        });
    HostClocks.Start start = start(2);
    assertThat(grid.told(Command.Scheduled.class))
        .extracting(Command.Scheduled::epochMicros)
        .containsOnly(HostClocks.micros(start.at().orElseThrow()));
    HostClocks.Clock clock = clocks.known().get("agent-1");
    assertThat(clock.errorMicros()).isZero();
    assertThat(clock.tripMicros()).isGreaterThanOrEqualTo(40_000);
  }
}
