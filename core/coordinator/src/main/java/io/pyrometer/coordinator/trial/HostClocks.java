package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The wall clocks of the processes on other hosts, each from the reading with the shortest round
 * trip, by which agents begin together. The processes of this machine share the coordinator's,
 * those in its namespaces included.
 */
final class HostClocks {
  private static final int CLOCK_READINGS = 5;

  /** Before the instant of a start, for processes that wake up late. */
  private static final long LEAD_MICROS = 100_000;

  private final Predicate<ManagedProcess> own;
  private final MachineReading here;
  private final Time time;
  private final Map<String, Clock> known = new TreeMap<>();

  /**
   * The wall clock of a process's host, which the process read at some moment between the
   * coordinator's command and its answer.
   *
   * @param aheadMicros of the coordinator's, were it read half-way
   * @param errorMicros the most that this can be wrong by: half the time between the two, and
   *     nothing of the coordinator's own clock
   * @param tripMicros from the command to the answer
   */
  record Clock(double aheadMicros, double errorMicros, double tripMicros) {}

  /**
   * @param here a reading of this machine, by which hosts that are part of it are known
   */
  HostClocks(Predicate<ManagedProcess> own, MachineReading here, Time time) {
    this.own = own;
    this.here = here;
    this.time = time;
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** Asks a process for the CPU time it has used, and with it for its clock. */
  CompletableFuture<Answer> ask(ManagedProcess process) {
    double from = micros(time.now());
    return process
        .send(new Command.ReadCpu())
        .whenComplete(
            (answer, failure) -> {
              if (answer instanceof Answer.Cpu cpu && !own.test(process)) {
                double trip = micros(time.now()) - from;
                add(
                    process.name(),
                    cpu.machine().filter(here::isOfSameMachine).isPresent()
                        ? new Clock(0, 0, trip)
                        : new Clock(cpu.epochMicros() - from - trip / 2, trip / 2, trip));
              }
            });
  }

  private synchronized void add(String process, Clock clock) {
    known.merge(process, clock, (a, b) -> a.tripMicros() <= b.tripMicros() ? a : b);
  }

  /** Clock of a process; empty while it has not been read. */
  synchronized Optional<Clock> of(ManagedProcess process) {
    return own.test(process)
        ? Optional.of(new Clock(0, 0, 0))
        : Optional.ofNullable(known.get(process.name()));
  }

  /** Clocks of other hosts that have been read, by process. */
  synchronized Map<String, Clock> known() {
    return Map.copyOf(known);
  }

  /**
   * Has agents execute one command. Several are sent it ahead of an instant, each by the clock of
   * its host, so that they begin together however long the command is on its way.
   *
   * @return at that instant; at once for a single agent, which is not told yet
   */
  Start start(List<ManagedProcess> agents, Command command) {
    if (agents.size() < 2) {
      return new Start(agents, command, Optional.empty(), List.of());
    }
    for (int i = 0; i < CLOCK_READINGS; i++) {
      List<CompletableFuture<Answer>> answers = agents.stream().map(this::ask).toList();
      for (int j = 0; j < answers.size(); j++) {
        Answer.Cpu unused =
            agents.get(j).await(answers.get(j), Answer.Cpu.class, "ReadCpu", Timeouts.QUICK);
      }
    }
    List<Clock> read = agents.stream().map(this::of).map(Optional::orElseThrow).toList();
    // The way there takes at most the whole round trip.
    double way = read.stream().mapToDouble(Clock::tripMicros).max().orElse(0);
    Instant then = time.now().plus(LEAD_MICROS + Math.round(2 * way), ChronoUnit.MICROS);
    List<CompletableFuture<Answer>> scheduled = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      long at = micros(then) + Math.round(read.get(i).aheadMicros());
      scheduled.add(agents.get(i).send(new Command.Scheduled(at, command)));
    }
    time.sleep(Duration.ofMillis(Math.max(0, Duration.between(time.now(), then).toMillis())));
    return new Start(agents, command, Optional.of(then), scheduled);
  }

  /**
   * A start of agents that is not complete yet.
   *
   * @param at when several agents begin; empty for a single one, which begins when it is told
   */
  record Start(
      List<ManagedProcess> agents,
      Command command,
      Optional<Instant> at,
      List<CompletableFuture<Answer>> scheduled) {

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
        Answer.Begun begun =
            agent.await(scheduled.get(i), Answer.Begun.class, name, Timeouts.QUICK);
        if (begun.lateMicros() > 0) {
          late.put(
              Metric.LATE_COMMAND_OF + agent.name(),
              Metric.lowerIsBetter(begun.lateMicros() / 1e3, "ms"));
        }
      }
      return late;
    }
  }
}
