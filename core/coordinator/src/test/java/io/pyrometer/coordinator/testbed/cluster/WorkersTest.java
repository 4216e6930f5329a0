package io.pyrometer.coordinator.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.coordinator.testbed.limits.ProcessLimits;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to several workers at once. */
class WorkersTest {
  @TempDir Path folder;

  private static long nowNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  @Test
  void theClockOfAnotherHostIsComparedOnceAndThisMachinesIsNot() {
    FakeGrid grid = new FakeGrid(new VirtualTime());
    for (String process : List.of("node-0", "node-1", "agent-0")) {
      grid.on(
          process,
          Command.Clock.class,
          0,
          99,
          (it, told) -> Optional.of(new Answer.Time(nowNanos() + 5_000_000_000L)));
    }
    Host east =
        new Host(
            "east",
            List.of("env"),
            "10.0.0.9",
            folder.toString(),
            "java",
            Optional.empty(),
            Optional.empty());
    List<ManagedProcess> workers =
        grid.startAll(
            Stream.of("node-0", "node-1", "agent-0")
                .map(
                    name ->
                        new ProcessLauncher.Launch(
                            name, east, List.of(), ProcessLimits.NONE, folder.resolve("log")))
                .toList());
    Map<String, String> facts =
        ClockOffsets.of(workers, it -> it.name().equals("agent-0") ? Host.LOCAL : east);
    assertThat(facts).containsOnlyKeys("host.east.clock");
    String fact = facts.get("host.east.clock");
    assertThat(fact).matches("\\+\\d+\\.\\d{3} ms ± \\d+\\.\\d{3} ms");
    assertThat(Double.parseDouble(fact.substring(1, fact.indexOf(' ')))).isBetween(4e3, 6e3);
    assertThat(grid.order()).hasSize(8).allMatch(it -> it.equals("node-0 Clock"));
  }

  private List<ManagedProcess> threeAgents(FakeGrid grid) {
    return grid.startAll(
        Stream.of("agent-0", "agent-1", "agent-2")
            .map(
                name ->
                    new ProcessLauncher.Launch(
                        name, Host.LOCAL, List.of(), ProcessLimits.NONE, folder.resolve("log")))
            .toList());
  }

  @Test
  void allAreToldBeforeAnyIsWaitedForAndTheFirstThatFailedIsNamed() {
    FakeGrid grid = new FakeGrid(new VirtualTime());
    grid.refuses("agent-1", Command.Clock.class, 0, 1, "First.");
    grid.refuses("agent-2", Command.Clock.class, 0, 1, "Second.");
    List<ManagedProcess> agents = threeAgents(grid);
    assertThatThrownBy(
            () ->
                Broadcast.all(agents, i -> new Command.Clock(), Answer.Time.class, Timeouts.QUICK))
        .hasMessage("agent-1: First.");
    assertThat(grid.order()).containsExactly("agent-0 Clock", "agent-1 Clock", "agent-2 Clock");
    assertThat(Broadcast.all(agents, i -> new Command.Clock(), Answer.Time.class, Timeouts.QUICK))
        .hasSize(3);
  }
}
