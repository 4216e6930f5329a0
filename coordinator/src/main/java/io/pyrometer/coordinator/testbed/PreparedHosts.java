package io.pyrometer.coordinator.testbed;

import io.pyrometer.experiment.Host;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hosts of a run, ready to start workers; this machine alone where the run names none. */
public final class PreparedHosts implements AutoCloseable {
  private final Distribution distribution;
  private final List<Path> classPath;
  private final List<PreparedHost> hosts;
  private final Optional<Namespaces> namespaces;
  private final Optional<RemoteBundle> bundle;

  private PreparedHosts(
      Distribution distribution,
      List<Path> classPath,
      List<PreparedHost> hosts,
      Optional<Namespaces> namespaces,
      Optional<RemoteBundle> bundle) {
    this.distribution = distribution;
    this.classPath = classPath;
    this.hosts = List.copyOf(hosts);
    this.namespaces = namespaces;
    this.bundle = bundle;
  }

  /**
   * Prepares the hosts of a run: makes its network namespaces, and ships Pyrometer's files to every
   * host that lacks them.
   *
   * @param machine that namespaces are made on
   * @throws WorkerException with one sentence of the first host that refuses
   */
  public static PreparedHosts of(
      PlannedRun plan, Distribution distribution, NamespaceCommands machine) {
    List<Path> classPath = classPath(plan);
    List<Host> hosts = plan.testbed().hosts();
    if (areNamespaces(plan)) {
      Namespaces made = Namespaces.make(machine, most(plan, "nodes"), most(plan, "agents"));
      return new PreparedHosts(
          distribution,
          classPath,
          made.hosts().stream().map(PreparedHost::here).toList(),
          Optional.of(made),
          Optional.empty());
    }
    if (hosts.isEmpty()) {
      return thisMachine(plan, distribution);
    }
    if (hosts.stream().allMatch(Host::local)) {
      return new PreparedHosts(
          distribution,
          classPath,
          hosts.stream().map(PreparedHost::here).toList(),
          Optional.empty(),
          Optional.empty());
    }
    RemoteBundle bundle =
        RemoteBundle.pack(
            distribution,
            plan.drivers().values(),
            classPath,
            plan.testbed().config().map(Path::of));
    try {
      List<PreparedHost> prepared = new ArrayList<>();
      hosts.forEach(
          host ->
              prepared.add(
                  host.local() ? PreparedHost.here(host) : PreparedHost.reachedBy(host, bundle)));
      return new PreparedHosts(
          distribution, classPath, prepared, Optional.empty(), Optional.of(bundle));
    } catch (WorkerException refused) {
      bundle.close();
      throw refused;
    }
  }

  /** This machine alone, whatever hosts the run names. */
  public static PreparedHosts thisMachine(PlannedRun plan, Distribution distribution) {
    return new PreparedHosts(
        distribution,
        classPath(plan),
        List.of(PreparedHost.here(Host.LOCAL)),
        Optional.empty(),
        Optional.empty());
  }

  /** Whether the run's hosts are network namespaces that Pyrometer makes. */
  public static boolean areNamespaces(PlannedRun plan) {
    return plan.testbed().hosts().contains(Host.NAMESPACES);
  }

  private static List<Path> classPath(PlannedRun plan) {
    return plan.testbed().classPath().stream().map(Path::of).toList();
  }

  private static int most(PlannedRun plan, String processes) {
    return plan.groups().stream()
        .mapToInt(group -> group.settings().integer(processes))
        .max()
        .orElse(1);
  }

  public List<PreparedHost> all() {
    return hosts;
  }

  /** The namespaces that the hosts are, where they are some. */
  public Optional<Namespaces> namespaces() {
    return namespaces;
  }

  /** The host of the i-th process of a kind: those that take the kind, in turn. */
  public PreparedHost of(String kind, int index) {
    List<PreparedHost> fit =
        hosts.stream().filter(host -> host.host().runs().map(kind::equals).orElse(true)).toList();
    return fit.isEmpty() ? hosts.get(0) : fit.get(index % fit.size());
  }

  /**
   * How to start a worker on a host.
   *
   * @param name of the process: kind, hyphen, index
   * @param jvmArguments after Pyrometer's own
   */
  ProcessLauncher.Launch launch(
      String name,
      DriverDescription driver,
      PreparedHost host,
      long heapBytes,
      List<String> jvmArguments,
      ProcessLimits limits,
      Path log) {
    List<String> flags = new ArrayList<>(distribution.jvmFlags(driver, heapBytes, limits));
    flags.addAll(jvmArguments);
    List<String> command =
        host.base().isEmpty()
            ? distribution.workerCommand(driver, flags, classPath)
            : host.command(driver.name(), flags);
    return new ProcessLauncher.Launch(name, host.host(), command, limits, log);
  }

  @Override
  public void close() {
    namespaces.ifPresent(Namespaces::close);
    bundle.ifPresent(RemoteBundle::close);
  }
}
