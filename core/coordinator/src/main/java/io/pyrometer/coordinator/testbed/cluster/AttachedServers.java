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
      if (failure.gone()) {
        throw failure;
      }
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
   * What servers and clients have used. That of the servers is missing where it is not known. From
   * the first time that one does not answer it is not, so that no later trial has the figures of
   * some servers alone.
   *
   * @throws WorkerException if the agent that watches them is or becomes gone
   */
  ProcessUsage usage() {
    try {
      Map<String, Answer.Used> used = new TreeMap<>(clients.get().byProcess());
      if (unknownUsage.isEmpty()) {
        used.putAll(ProcessUsage.of(processes).byProcess());
      }
      return new ProcessUsage(used);
    } catch (WorkerException failure) {
      if (failure.gone()) {
        throw failure;
      }
      unknownUsage = unknownUsage.or(() -> Optional.of(failure.sentence()));
      return new ProcessUsage(Map.of());
    }
  }

  /** Whose CPU time is known. */
  Map<String, String> facts() {
    return Map.of(
        CpuScope.KEY, unknownUsage.map(CpuScope.AGENTS_ALONE::concat).orElse("agents and servers"));
  }
}
