package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Has the agents of a trial execute one command. Several agents are sent it ahead of an instant,
 * each by the clock of its host, so that they begin together however long the command is on its
 * way.
 */
final class AgentStart {
  private static final int CLOCK_READINGS = 5;

  /** Before the instant, for processes that wake up late. */
  private static final long LEAD_MICROS = 100_000;

  private final List<ManagedProcess> agents;
  private final Command command;
  private final Time time;
  private Optional<Instant> instant = Optional.empty();
  private final List<CompletableFuture<Answer>> scheduled = new ArrayList<>();

  /**
   * Sends the command to several agents, and returns at the instant when they execute it; does
   * nothing for a single one.
   */
  AgentStart(List<ManagedProcess> agents, Command command, HostClocks clocks, Time time) {
    this.agents = agents;
    this.command = command;
    this.time = time;
    if (agents.size() > 1) {
      schedule(clocks);
    }
  }

  private void schedule(HostClocks clocks) {
    for (int i = 0; i < CLOCK_READINGS; i++) {
      List<CompletableFuture<Answer>> answers = agents.stream().map(clocks::ask).toList();
      for (int j = 0; j < answers.size(); j++) {
        Answer.Cpu unused =
            agents.get(j).await(answers.get(j), Answer.Cpu.class, "ReadCpu", Timeouts.QUICK);
      }
    }
    List<HostClocks.Clock> read =
        agents.stream().map(clocks::of).map(Optional::orElseThrow).toList();
    // The way there takes at most the whole round trip.
    double way = read.stream().mapToDouble(HostClocks.Clock::tripMicros).max().orElse(0);
    Instant then = time.now().plus(LEAD_MICROS + Math.round(2 * way), ChronoUnit.MICROS);
    instant = Optional.of(then);
    for (int i = 0; i < agents.size(); i++) {
      long micros = HostClocks.micros(then) + Math.round(read.get(i).aheadMicros());
      scheduled.add(agents.get(i).send(new Command.Scheduled(micros, command)));
    }
    time.sleep(Duration.ofMillis(Math.max(0, Duration.between(time.now(), then).toMillis())));
  }

  /** When several agents begin; of a single one, now. */
  Instant at() {
    return instant.orElseGet(time::now);
  }

  /**
   * Returns when all agents execute the command.
   *
   * @return the agents that received it too late, and by how much
   */
  Map<String, Metric> complete() {
    Map<String, Metric> late = new TreeMap<>();
    String name = command.getClass().getSimpleName();
    if (scheduled.isEmpty()) {
      ManagedProcess.requestAll(agents, i -> command, Answer.Done.class, Timeouts.QUICK);
    }
    for (int i = 0; i < scheduled.size(); i++) {
      ManagedProcess agent = agents.get(i);
      Answer.Begun begun = agent.await(scheduled.get(i), Answer.Begun.class, name, Timeouts.QUICK);
      if (begun.lateMicros() > 0) {
        late.put(
            Metric.LATE_COMMAND_OF + agent.name(),
            Metric.lowerIsBetter(begun.lateMicros() / 1e3, "ms"));
      }
    }
    return late;
  }
}
