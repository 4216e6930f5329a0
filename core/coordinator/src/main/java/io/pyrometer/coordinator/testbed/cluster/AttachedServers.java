package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The servers of a grid that Pyrometer did not start, as far as they tell of themselves. */
public final class AttachedServers {
  static final AttachedServers NONE =
      new AttachedServers(List.of(), Optional.of("no agent watches the servers."));

  private final List<ManagedProcess> processes;
  private Optional<String> unknownUsage;

  private AttachedServers(List<ManagedProcess> processes, Optional<String> unknownUsage) {
    this.processes = processes;
    this.unknownUsage = unknownUsage;
  }

  /** Servers that an agent can watch. */
  static AttachedServers of(ManagedProcess agent) {
    try {
      Answer.Watching watching =
          agent.request(new Command.WatchServers(), Answer.Watching.class, Timeouts.QUICK);
      return new AttachedServers(
          IntStream.range(0, watching.servers())
              .<ManagedProcess>mapToObj(i -> new Attached(i, agent))
              .toList(),
          watching.unknownUsage());
    } catch (WorkerException failure) {
      rethrowIfGone(failure);
      return new AttachedServers(List.of(), Optional.of(failure.sentence()));
    }
  }

  /** They take {@link Command.Usage} and the commands of telemetry. */
  public List<ManagedProcess> processes() {
    return processes;
  }

  /**
   * Usage of the servers, as far as it is known. From the first time that a server does not answer
   * it is unknown, so that no later trial has the figures of some alone.
   */
  ProcessUsage usage() {
    Map<String, Answer.Used> used = new TreeMap<>();
    if (unknownUsage.isEmpty()) {
      try {
        used.putAll(ProcessUsage.of(processes).byProcess());
      } catch (WorkerException failure) {
        rethrowIfGone(failure);
        unknownUsage = Optional.of(failure.sentence());
      }
    }
    return new ProcessUsage(used);
  }

  private static void rethrowIfGone(WorkerException failure) {
    if (failure.gone()) {
      throw failure;
    }
  }

  /** Whose CPU time is known. */
  Map<String, String> facts() {
    return Map.of(
        CpuScope.KEY, unknownUsage.map(CpuScope.AGENTS_ALONE::concat).orElse("agents and servers"));
  }

  /**
   * A server of a grid that Pyrometer did not start, which an agent watches from outside. It takes
   * the commands {@link Command.Usage} and those of telemetry, and lives as long as the agent; it
   * is never ended.
   */
  private record Attached(int index, ManagedProcess agent) implements ManagedProcess {

    @Override
    public String name() {
      return ManagedProcess.NODE + "-" + index;
    }

    @Override
    public boolean alive() {
      return agent.alive();
    }

    @Override
    public CompletableFuture<Answer> send(Command command) {
      return agent.send(new Command.OfServer(index, command));
    }

    @Override
    public Time time() {
      return agent.time();
    }

    @Override
    public void stop(Duration timeout) {}

    /** A failure of the agent, which does not answer. */
    @Override
    public void kill() {
      agent.kill();
    }
  }
}
