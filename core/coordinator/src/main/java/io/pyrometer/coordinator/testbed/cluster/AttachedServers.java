package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The servers of a grid that Pyrometer did not start, as far as they tell of themselves, and the
 * clients that others run on the machine of the agent that watches them.
 */
public final class AttachedServers {
  static final AttachedServers NONE =
      new AttachedServers(
          List.of(),
          Optional.of("no agent watches the servers."),
          () -> new ProcessUsage(Map.of()));

  private final List<ManagedProcess> processes;
  private final Supplier<ProcessUsage> clients;
  private Optional<String> unknownUsage;

  private AttachedServers(
      List<ManagedProcess> processes,
      Optional<String> unknownUsage,
      Supplier<ProcessUsage> clients) {
    this.processes = processes;
    this.unknownUsage = unknownUsage;
    this.clients = clients;
  }

  /**
   * Those that an agent can watch.
   *
   * @param own ids of this run's processes
   * @throws WorkerException if the agent is or becomes gone
   */
  static AttachedServers of(ManagedProcess agent, List<Long> own) {
    try {
      Answer.Watching watching =
          agent.request(new Command.WatchServers(), Answer.Watching.class, Timeouts.QUICK);
      return new AttachedServers(
          IntStream.range(0, watching.servers())
              .<ManagedProcess>mapToObj(i -> new AttachedServer(i, agent))
              .toList(),
          watching.unknownUsage(),
          () -> clients(agent, own));
    } catch (WorkerException failure) {
      rethrowIfGone(failure);
      return new AttachedServers(
          List.of(), Optional.of(failure.sentence()), () -> clients(agent, own));
    }
  }

  private static ProcessUsage clients(ManagedProcess agent, List<Long> own) {
    Map<String, Answer.Used> used = new TreeMap<>();
    agent
        .request(new Command.UsageOfClients(own), Answer.ClientsUsed.class, Timeouts.QUICK)
        .byProcessId()
        .forEach((pid, client) -> used.put(Cluster.CLIENT + "-" + pid, client));
    return new ProcessUsage(used);
  }

  /** They take {@link Command.Usage} and the commands of telemetry. */
  public List<ManagedProcess> processes() {
    return processes;
  }

  /**
   * What servers and clients have used, as far as it is known. From the first time that a server
   * does not answer that of servers is not, so that no later trial has the figures of some alone.
   *
   * @throws WorkerException if the agent that watches them is or becomes gone
   */
  ProcessUsage usage() {
    Map<String, Answer.Used> used = new TreeMap<>();
    try {
      used.putAll(clients.get().byProcess());
    } catch (WorkerException failure) {
      rethrowIfGone(failure);
    }
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
}
