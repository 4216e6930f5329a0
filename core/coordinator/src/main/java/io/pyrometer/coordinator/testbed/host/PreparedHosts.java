package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.Distribution.Program;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The hosts of a run, ready to start workers; this machine alone where the run names none. */
public final class PreparedHosts implements AutoCloseable {
  private final Distribution distribution;
  private final ProductVersions versions;
  private final List<Path> classPath;

  /** Archived classes would serve the processes of one version or JDK and not those of another. */
  private final boolean archived;

  private final List<PreparedHost> hosts;
  private final Optional<Namespaces> namespaces;
  private final Optional<RemoteBundle> bundle;

  private PreparedHosts(
      Distribution distribution,
      PlannedRun plan,
      List<PreparedHost> hosts,
      Optional<Namespaces> namespaces,
      Optional<RemoteBundle> bundle) {
    this.distribution = distribution;
    this.versions = new ProductVersions(distribution);
    this.classPath = classPath(plan);
    this.archived =
        !plan.classesDiffer()
            && Stream.of(
                    CoreSettings.NODE_JDK.name(),
                    CoreSettings.AGENT_JDK.name(),
                    DriverDescription.PRODUCT_VERSION)
                .allMatch(name -> differentValues(plan, name) <= 1);
    this.hosts = List.copyOf(hosts);
    this.namespaces = namespaces;
    this.bundle = bundle;
  }

  /**
   * Prepares the hosts of a run: makes its network namespaces, and ships Pyrometer's files to every
   * host that lacks them.
   */
  public static PreparedHosts of(
      PlannedRun plan, Distribution distribution, NamespaceCommands machine) {
    fetchVersions(plan, distribution);
    List<Host> hosts = plan.testbed().hosts();
    if (areNamespaces(plan)) {
      Namespaces made =
          Namespaces.make(machine, most(plan, CoreSettings.NODES), most(plan, CoreSettings.AGENTS));
      return here(plan, distribution, made.hosts(), Optional.of(made));
    }
    if (hosts.isEmpty()) {
      return thisMachine(plan, distribution);
    }
    if (hosts.stream().allMatch(Host::local)) {
      return here(plan, distribution, hosts, Optional.empty());
    }
    if (plan.classesDiffer()) {
      throw WorkerException.lost("coordinator.remote-classes");
    }
    RemoteBundle bundle =
        RemoteBundle.pack(
            distribution, plan.drivers().values(), classPath(plan), plan.testbed().config());
    try {
      List<PreparedHost> prepared =
          hosts.stream()
              .map(
                  host ->
                      host.local() ? PreparedHost.here(host) : PreparedHost.reachedBy(host, bundle))
              .toList();
      return new PreparedHosts(distribution, plan, prepared, Optional.empty(), Optional.of(bundle));
    } catch (WorkerException refused) {
      bundle.close();
      throw refused;
    }
  }

  /**
   * Machines with a memory of their own: the hosts, or this machine where they are its namespaces.
   */
  public static PreparedHosts machines(PlannedRun plan, Distribution distribution) {
    return areNamespaces(plan)
        ? thisMachine(plan, distribution)
        : of(plan, distribution, NamespaceCommands.SYSTEM);
  }

  /** This machine alone, whatever hosts the run names. */
  public static PreparedHosts thisMachine(PlannedRun plan, Distribution distribution) {
    return here(plan, distribution, List.of(Host.LOCAL), Optional.empty());
  }

  private static PreparedHosts here(
      PlannedRun plan,
      Distribution distribution,
      List<Host> hosts,
      Optional<Namespaces> namespaces) {
    List<PreparedHost> prepared = hosts.stream().map(PreparedHost::here).toList();
    return new PreparedHosts(distribution, plan, prepared, namespaces, Optional.empty());
  }

  private static long differentValues(PlannedRun plan, String setting) {
    return plan.groups().stream()
        .flatMap(group -> Stream.ofNullable(group.settings().values().get(setting)))
        .distinct()
        .count();
  }

  /** Has the versions of products that the run needs at hand before its first trial. */
  private static void fetchVersions(PlannedRun plan, Distribution distribution) {
    ProductVersions versions = new ProductVersions(distribution);
    plan.groups()
        .forEach(
            group -> {
              List<Path> unused = versions.jars(plan.driver(group.settings()), group.settings());
            });
  }

  /** Returns whether the run's hosts are network namespaces that Pyrometer makes. */
  public static boolean areNamespaces(PlannedRun plan) {
    return plan.testbed().hosts().contains(Host.NAMESPACES);
  }

  private static List<Path> classPath(PlannedRun plan) {
    return plan.classPath().stream().map(Path::of).toList();
  }

  private static int most(PlannedRun plan, SettingKey<Integer> processes) {
    return plan.groups().stream()
        .mapToInt(group -> group.settings().get(processes))
        .max()
        .orElse(1);
  }

  public List<PreparedHost> all() {
    return hosts;
  }

  public List<Host> hosts() {
    return hosts.stream().map(PreparedHost::host).toList();
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
   * Program of a process's worker: its JVM and the version of its product, as settings ask for.
   *
   * @param classesBefore those that go before the driver's, on this machine alone
   * @param libraries folder of the distribution whose jars come last, on this machine only
   */
  public Program program(
      String kind,
      DriverDescription driver,
      Settings settings,
      List<Path> classesBefore,
      Optional<String> libraries) {
    return new Program(
        driver,
        jvm(
            kind.equals(ManagedProcess.NODE) ? CoreSettings.NODE_JDK : CoreSettings.AGENT_JDK,
            settings),
        versions.jars(driver, settings),
        classesBefore,
        libraries);
  }

  private static Jvm jvm(SettingKey<String> key, Settings settings) {
    Optional<String> asked = settings.find(key);
    return asked.isEmpty()
        ? Jvm.OWN
        : Jvm.named(asked.get())
            .orElseThrow(
                () ->
                    WorkerException.gone(
                        "%s: %s", key.name(), Jvm.missing(asked.get()).orElse("")));
  }

  /**
   * How to start a worker on a host.
   *
   * @param before words that run the command that follows them
   * @param jvmArguments after Pyrometer's own
   */
  public ProcessLauncher.Launch launch(
      String name,
      List<String> before,
      Program program,
      PreparedHost host,
      long heapBytes,
      List<String> jvmArguments,
      ProcessLimits limits,
      Path log) {
    if (host.base().isPresent()) {
      requireShipped(name, program, host.host());
    }
    List<String> flags = new ArrayList<>(distribution.jvmFlags(program, heapBytes, limits));
    flags.addAll(jvmArguments);
    List<String> command = new ArrayList<>(before);
    command.addAll(
        host.base().isEmpty()
            ? distribution.workerCommand(program, flags, classPath, archived)
            : host.command(program.driver().name(), flags));
    return new ProcessLauncher.Launch(name, host.host(), command, limits, log);
  }

  private static void requireShipped(String name, Program program, Host host) {
    String what = "";
    if (program.libraries().isPresent()) {
      what = Messages.format("coordinator.remote-kind");
    } else if (!program.jvm().own()) {
      what = Messages.format("coordinator.remote-jdk");
    } else if (!program.productJars().isEmpty()) {
      what = Messages.format("coordinator.remote-version");
    }
    if (!what.isEmpty()) {
      throw WorkerException.gone(what.formatted(name, host.words()));
    }
  }

  @Override
  public void close() {
    namespaces.ifPresent(Namespaces::close);
    bundle.ifPresent(RemoteBundle::close);
  }
}
