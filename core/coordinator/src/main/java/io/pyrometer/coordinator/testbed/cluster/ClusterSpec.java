package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.Distribution.Program;
import io.pyrometer.coordinator.testbed.host.PreparedHost;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.TrialKind;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.CoreSettings.OfProcess;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Specification that a cluster is started from.
 *
 * @param settings of the processes and of the first trial that they serve
 * @param classesBefore those that go before the driver's
 * @param relayed whether the clients of some trial go through a relay
 * @param telemetryFlags what telemetry asks of the JVMs of nodes and agents
 * @param trialKind of the trials; empty for load trials
 * @param label distinguishes this start's logs and work folders
 */
public record ClusterSpec(
    ProcessLauncher launcher,
    PreparedHosts hosts,
    PlannedRun plan,
    RunFolder folder,
    Settings settings,
    List<Path> classesBefore,
    boolean relayed,
    List<String> telemetryFlags,
    Optional<TrialKind> trialKind,
    String label) {

  /** So many processes for each CPU start within the usual limits. */
  private static final int USUAL_PROCESSES_PER_CPU = 4;

  /** Heap bytes of a relay or switch; what it holds back is bounded for each connection or link. */
  public static final long NETWORK_HEAP = 256L << 20;

  public DriverDescription driver() {
    return plan.driver(settings);
  }

  /** Returns whether the agents join a grid that Pyrometer did not start. */
  boolean attached() {
    return plan.testbed().attach().isPresent();
  }

  /** Addresses of the grid to attach to; an empty list if the configuration holds them. */
  public Optional<List<String>> attachedAddresses() {
    return plan.testbed()
        .attach()
        .map(
            address ->
                address.equals(Experiment.Testbed.BY_CONFIG)
                    ? List.of()
                    : Stream.of(address.split(",", -1)).map(String::strip).toList());
  }

  /** The command that joins an agent to the grid. */
  public Command openSession(
      ManagedProcess agent, int index, int agents, List<String> peers, List<String> clients) {
    return new Command.OpenSession(
        index,
        agents,
        peers,
        clients,
        config(agent.name()),
        attached(),
        workFolder(agent),
        settings);
  }

  public void requireElastic() {
    if (!driver().capabilities().contains(DriverDescription.ELASTIC)) {
      throw WorkerException.refused("coordinator.join-unsupported", driver().name());
    }
  }

  /**
   * By how much starts take longer than usual: the processes for each CPU of the machine with the
   * most over {@value #USUAL_PROCESSES_PER_CPU}, at least 1.
   */
  double crowding() {
    return Stream.concat(names(ManagedProcess.NODE), names(ManagedProcess.AGENT))
        .map(this::host)
        .collect(Collectors.groupingBy(PreparedHost::machine))
        .values()
        .stream()
        .mapToDouble(on -> on.size() / (double) (USUAL_PROCESSES_PER_CPU * on.get(0).cpuCount()))
        .reduce(1, Math::max);
  }

  /** So many servers start at once: as many as their host's CPUs start within the usual limits. */
  int serversAtOnce() {
    return names(ManagedProcess.NODE)
        .mapToInt(node -> USUAL_PROCESSES_PER_CPU * host(node).cpuCount() / 2)
        .reduce(Integer.MAX_VALUE, Math::min);
  }

  /** How to start all processes. */
  List<ProcessLauncher.Launch> launches() {
    return Stream.of(
            ManagedProcess.NODE, ManagedProcess.AGENT, ManagedProcess.RELAY, ManagedProcess.SWITCH)
        .flatMap(this::names)
        .map(process -> launch(process, ""))
        .toList();
  }

  /** The names of the processes of a kind. */
  private Stream<String> names(String kind) {
    int count =
        switch (kind) {
          case ManagedProcess.NODE -> attached() ? 0 : settings.get(CoreSettings.NODES);
          case ManagedProcess.AGENT -> settings.get(CoreSettings.AGENTS);
          case ManagedProcess.RELAY -> relayed ? 1 : 0;
          default -> devices().isEmpty() ? 0 : 1;
        };
    return IntStream.range(0, count).mapToObj(i -> kind + "-" + i);
  }

  private static int index(String process) {
    return Integer.parseInt(process.split("-", -1)[1]);
  }

  private PreparedHost host(String process) {
    String kind = ManagedProcess.kindOf(process);
    return kind.equals(ManagedProcess.SWITCH)
        ? PreparedHost.here(Host.LOCAL)
        : hosts.of(kind.equals(ManagedProcess.RELAY) ? ManagedProcess.AGENT : kind, index(process));
  }

  /** Devices that a switch must make for the namespaces; empty where none is needed. */
  List<String> devices() {
    return hosts.namespaces().map(Namespaces::devices).orElse(List.of());
  }

  /** The host of a process. */
  public Host hostOf(ManagedProcess process) {
    return hostOf(process.name());
  }

  /**
   * The host of a process.
   *
   * @param process its name: kind, hyphen, index, and perhaps more
   */
  public Host hostOf(String process) {
    return host(process).host();
  }

  /** The folder on its host in which a process may write. */
  public String workFolder(ManagedProcess process) {
    return workFolder(process.name());
  }

  /** Returns whether an agent uses the grid. */
  boolean joins(ManagedProcess agent) {
    return trialKind.map(kind -> kind.usesGrid(index(agent.name()), settings)).orElse(true);
  }

  /** How to start a process with a log of its own, whose name ends so. */
  public ProcessLauncher.Launch launch(String process, String logSuffix) {
    PreparedHost host = host(process);
    String kind = ManagedProcess.kindOf(process);
    Path log = folder.log(label + "-" + process + logSuffix);
    boolean node = kind.equals(ManagedProcess.NODE);
    if (!node && !kind.equals(ManagedProcess.AGENT)) {
      Program program = Program.of(driver());
      return hosts.launch(
          process, List.of(), program, host, NETWORK_HEAP, List.of(), ProcessLimits.NONE, log);
    }
    Optional<String> libraries = node ? Optional.empty() : trialKind.flatMap(TrialKind::libraries);
    Program program = hosts.program(kind, driver(), settings, classesBefore, libraries);
    long heap = settings.get(OfProcess.of(kind).heap());
    return hosts.launch(
        process,
        node ? beforeServer(process, host) : List.of(),
        program,
        host,
        node ? driver().servers().heapBytes(heap) : heap,
        jvmArguments(kind),
        limits(process, host),
        log);
  }

  private List<String> beforeServer(String node, PreparedHost host) {
    List<String> words =
        trialKind.map(kind -> kind.beforeServer(settings, workFolder(node))).orElse(List.of());
    if (!words.isEmpty() && host.base().isPresent()) {
      throw WorkerException.lost("coordinator.remote-fault", index(node), host.host().words());
    }
    return words;
  }

  /** The user's own come last, so that they win. */
  private List<String> jvmArguments(String kind) {
    List<String> arguments = new ArrayList<>(telemetryFlags);
    settings
        .find(CoreSettings.COMPILER)
        .filter(CoreSettings.C1::equals)
        .ifPresent(c1 -> arguments.add("-XX:TieredStopAtLevel=1"));
    if (kind.equals(ManagedProcess.NODE)) {
      settings
          .find(CoreSettings.NODE_COLLECTOR)
          .ifPresent(collector -> arguments.add("-XX:+Use" + collector + "GC"));
    }
    settings
        .find(OfProcess.of(kind).jvmArguments())
        .ifPresent(own -> arguments.addAll(List.of(own.strip().split("\\s+", -1))));
    return arguments;
  }

  private ProcessLimits limits(String process, PreparedHost host) {
    String kind = ManagedProcess.kindOf(process);
    ProcessLimits limits =
        ProcessLimits.of(
            host.cpus(),
            index(process),
            kind.equals(ManagedProcess.NODE) ? settings.get(CoreSettings.CORES) : 0,
            settings.find(OfProcess.of(kind).cpus()).orElse(0.0),
            settings.find(OfProcess.of(kind).memory()).orElse(0L));
    if (limits.needsControlGroup() && host.base().isPresent()) {
      throw WorkerException.lost(
          "coordinator.remote-limits", process, host.host().words(), kind, kind);
    }
    return limits;
  }

  Path work() {
    return folder.file("work").resolve(label).toAbsolutePath();
  }

  String workFolder(String process) {
    return host(process).work(work().resolve(process), label + "/" + process);
  }

  Optional<String> config(String process) {
    return host(process).config(plan.testbed().config().map(Path::toString));
  }
}
