package io.pyrometer.coordinator.run;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.machine.Preflight;
import io.pyrometer.coordinator.testbed.check.HostCheck;
import io.pyrometer.coordinator.testbed.check.TestbedCheck;
import io.pyrometer.coordinator.testbed.cluster.ClusterSpec;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.coordinator.testbed.host.Distribution.Program;
import io.pyrometer.coordinator.testbed.host.PreparedHost;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.coordinator.testbed.process.WorkerLauncher;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.CoreSettings.OfProcess;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.ServerDescription.StorageLimit;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.IntStream;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.software.os.OperatingSystem;

/** Begins runs: checks that the machine suffices, and makes the folder. */
public final class RunPreparation {
  private RunPreparation() {}

  /**
   * Compares what a run needs with what its machines have; then tries once, with one agent of each
   * driver, what every trial would fail for: a class of the user that is missing, or a grid that
   * cannot be reached.
   *
   * @return the grid that the run attaches to
   * @throws RunException naming everything that is lacking
   */
  public static Optional<GridDescription> preflight(
      PlannedRun plan, Path runs, Distribution distribution) {
    return preflight(plan, runs, distribution, WorkerLauncher::new);
  }

  static Optional<GridDescription> preflight(
      PlannedRun plan,
      Path runs,
      Distribution distribution,
      Function<Runnable, ProcessLauncher> launchers) {
    distribution.build(plan.drivers().keySet());
    Group largest =
        Collections.max(
            plan.groups(),
            Comparator.comparingLong(group -> bytes(plan, group, (kind, i) -> true)));
    int cores =
        plan.groups().stream().mapToInt(g -> g.settings().get(CoreSettings.CORES)).max().orElse(0);
    List<String> problems = new ArrayList<>();
    Preflight.cores(cores).ifPresent(problems::add);
    wrongRecords(plan).ifPresent(problems::add);
    if (PreparedHosts.areNamespaces(plan)) {
      Namespaces.lacking(NamespaceCommands.SYSTEM).ifPresent(problems::add);
    }
    List<String> unusable = HostCheck.errors(plan.testbed().hosts());
    problems.addAll(unusable);
    if (!unusable.isEmpty()) {
      throw new RunException(String.join("\n", problems));
    }
    try (PreparedHosts hosts = PreparedHosts.machines(plan, distribution)) {
      problems.addAll(memory(plan, largest, hosts));
      if (plan.groups().stream().anyMatch(g -> relayed(g) && agentsApart(plan, g, hosts))) {
        problems.add(Messages.format("coordinator.relay-hosts"));
      }
      Preflight.disk(runs).ifPresent(problems::add);
      if (!problems.isEmpty()) {
        throw new RunException(String.join("\n", problems));
      }
      try (ProcessLauncher launcher = launchers.apply(() -> {})) {
        return TestbedCheck.of(plan, hosts, launcher);
      }
    }
  }

  /**
   * The first trial with too few records for its threads, or with more than fit into the servers
   * that the run starts, even with one copy of each and nothing else.
   *
   * @return one sentence; empty where all fit, or a file of the user's configures the servers
   */
  public static Optional<String> wrongRecords(PlannedRun plan) {
    boolean own = plan.testbed().attach().isEmpty() && plan.testbed().config().isEmpty();
    return plan.trials().stream()
        .filter(trial -> trial.job().storesRecords())
        .map(
            trial ->
                tooFewKeys(trial.settings())
                    .or(() -> tooManyRecords(plan.driver(trial.settings()), trial, own)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Each thread has a part of the keys for itself, and at least one hot key of it. */
  private static Optional<String> tooFewKeys(Settings settings) {
    long threads = (long) settings.get(CoreSettings.AGENTS) * settings.get(CoreSettings.THREADS);
    long records = settings.get(CoreSettings.RECORDS);
    long hot = settings.find(CoreSettings.HOT_KEYS).orElse(0L);
    if (settings.find(CoreSettings.KEY_SHARING).filter("shared"::equals).isPresent()) {
      return Optional.empty();
    }
    return records < threads
        ? Optional.of(Messages.format("coordinator.records-below-threads", records, threads))
        : Optional.of(Messages.format("coordinator.hot-keys-below-threads", hot, threads))
            .filter(sentence -> hot > 0 && hot < threads);
  }

  /**
   * @param own whether Pyrometer's configuration holds for the servers
   */
  private static Optional<String> tooManyRecords(
      DriverDescription driver, TrialSpec trial, boolean own) {
    Settings settings = driver.complete(trial.path(), trial.settings());
    Optional<String> limit =
        driver.storageLimit(settings).map(StorageLimit::setting).filter(settings::has);
    if (!own || limit.isEmpty()) {
      return Optional.empty();
    }
    long room = settings.number(limit.get());
    int servers = settings.get(CoreSettings.NODES);
    long bytes = settings.find(CoreSettings.BYTES).orElse(trial.record().bytes());
    int copies = driver.data(settings).copiesOn(servers);
    double needed = (double) bytes * settings.get(CoreSettings.RECORDS) * copies;
    return needed <= (double) room * servers
        ? Optional.empty()
        : Optional.of(
            Messages.format(
                "coordinator.records-exceed-memory",
                settings.get(CoreSettings.RECORDS),
                bytes,
                copies == 1 ? "" : " in %d copies".formatted(copies),
                needed / (1 << 20),
                Figures.count(servers, "server"),
                limit.get(),
                room >> 20,
                limit.get()));
  }

  /** Why a group's processes do not fit into the memory that is free now on this machine. */
  static Optional<String> memoryShortage(PlannedRun plan, Group group, PreparedHosts hosts) {
    PreparedHost host = hosts.all().get(0);
    if (host.base().isPresent()) {
      return Optional.empty();
    }
    boolean all = hosts.namespaces().isPresent();
    long needed = bytes(plan, group, (kind, i) -> all || hosts.of(kind, i).equals(host));
    return Preflight.memory(needed, Preflight.availableMemory(), processes(plan, group.settings()));
  }

  /** The hosts whose memory does not suffice for a group's processes. */
  private static List<String> memory(PlannedRun plan, Group group, PreparedHosts hosts) {
    List<String> problems = new ArrayList<>();
    for (PreparedHost host : hosts.all()) {
      long needed = bytes(plan, group, (kind, i) -> hosts.of(kind, i).equals(host));
      String what = processes(plan, group.settings());
      String there = hosts.all().size() == 1 ? what : what + " on " + host.host().name();
      host.freeBytes()
          .flatMap(free -> Preflight.memory(needed, free, there))
          .ifPresent(problems::add);
    }
    return problems;
  }

  /** The memory of those of a group's processes that are on a host, by kind and index. */
  private static long bytes(PlannedRun plan, Group group, BiPredicate<String, Integer> there) {
    Settings settings = group.settings();
    int started = nodes(plan, settings);
    long nodes = IntStream.range(0, started).filter(i -> there.test("node", i)).count();
    int all = settings.get(CoreSettings.AGENTS);
    long agents = IntStream.range(0, all).filter(i -> there.test("agent", i)).count();
    int networks =
        (relayed(group) && there.test("agent", 0) ? 1 : 0)
            + (PreparedHosts.areNamespaces(plan) ? 1 : 0);
    ServerDescription servers = plan.driver(settings).servers();
    long nodeHeap = servers.heapBytes(settings.get(CoreSettings.NODE_HEAP));
    long agentHeap = settings.get(CoreSettings.AGENT_HEAP);
    // The heap of the JVM that each agent starts itself, if it does.
    long own = group.kind().map(kind -> kind.heapOfStartedJvm(settings)).orElse(0L);
    return nodes * (nodeHeap + servers.memoryBytes(settings) + Preflight.JVM_OVERHEAD)
        + agents * (agentHeap + own + (own > 0 ? 2 : 1) * Preflight.JVM_OVERHEAD)
        + networks * (ClusterSpec.NETWORK_HEAP + Preflight.JVM_OVERHEAD);
  }

  private static int nodes(PlannedRun plan, Settings settings) {
    return plan.testbed().attach().isPresent() ? 0 : settings.get(CoreSettings.NODES);
  }

  private static boolean agentsApart(PlannedRun plan, Group group, PreparedHosts hosts) {
    boolean all = PreparedHosts.areNamespaces(plan);
    return IntStream.range(1, group.settings().get(CoreSettings.AGENTS))
        .anyMatch(i -> all || !hosts.of("agent", i).equals(hosts.of("agent", 0)));
  }

  /** A group's settings with the largest CPU quotas of its trials, from which pools are sized. */
  static Settings withLargestQuotas(Group group) {
    Settings settings = group.settings();
    for (SettingKey<Double> quota : List.of(CoreSettings.NODE_CPUS, CoreSettings.AGENT_CPUS)) {
      double largest =
          group.trials().stream()
              .filter(trial -> trial.settings().has(quota.name()))
              .mapToDouble(trial -> trial.settings().get(quota))
              .max()
              .orElse(0);
      settings = largest > 0 ? settings.with(quota.name(), largest) : settings;
    }
    return settings;
  }

  /** Returns whether the clients of some trial go through a relay. */
  static boolean relayed(Group group) {
    return group.trials().stream().anyMatch(trial -> Shape.relayed(trial.settings()));
  }

  private static String processes(PlannedRun plan, Settings settings) {
    return Figures.count(nodes(plan, settings), "node")
        + " and "
        + Figures.count(settings.get(CoreSettings.AGENTS), "agent");
  }

  /** Makes the folder with everything that is known before the first trial. */
  public static RunFolder begin(
      PlannedRun plan, String source, Path runs, Distribution distribution, Clock clock) {
    RunFolder folder = RunFolder.create(runs, plan.name(), clock);
    folder.writeText("experiment.yaml", source);
    folder.write("environment.json", environment(plan, distribution, clock));
    folder.write("plan.json", plan);
    return folder;
  }

  /** Environment that the run runs in; asking the machine takes about a second. */
  public static Environment environment(PlannedRun plan, Distribution distribution, Clock clock) {
    Settings settings = plan.groups().get(0).settings();
    DriverDescription driver = plan.driver(settings);
    Map<String, List<String>> flags = new TreeMap<>();
    for (String kind : List.of("node", "agent")) {
      long heap = settings.get(OfProcess.of(kind).heap());
      flags.put(kind, distribution.jvmFlags(Program.of(driver), heap, ProcessLimits.NONE));
    }
    Map<String, String> versions = new TreeMap<>();
    plan.drivers().values().forEach(each -> versions.put(each.product(), each.version()));
    versions.put("Pyrometer", distribution.version());
    SystemInfo system = new SystemInfo();
    CentralProcessor processor = system.getHardware().getProcessor();
    OperatingSystem os = system.getOperatingSystem();
    return new Environment(
        Environment.SCHEMA,
        processor.getProcessorIdentifier().getName().strip(),
        Runtime.getRuntime().availableProcessors(),
        processor.getPhysicalProcessorCount(),
        system.getHardware().getMemory().getTotal(),
        os.getFamily() + " " + os.getVersionInfo(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        flags,
        versions,
        distribution.commit(),
        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
