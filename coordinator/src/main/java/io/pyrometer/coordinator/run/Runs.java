package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.machine.MachineInspection;
import io.pyrometer.coordinator.machine.Preflight;
import io.pyrometer.coordinator.testbed.Distribution;
import io.pyrometer.coordinator.testbed.Namespaces;
import io.pyrometer.coordinator.testbed.Site;
import io.pyrometer.coordinator.testbed.Sites;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.Group;
import io.pyrometer.experiment.Host;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Begins runs: checks that the machine suffices, and makes the folder. */
public final class Runs {
  private static final String ONE_RELAY =
      "A relay (client-delay …) serves the agents of one host, and they are on several: give one"
          + " host 'runs: agents' and the others 'runs: nodes'.";

  private Runs() {}

  /**
   * @throws RunException naming everything that the machine lacks
   */
  public static void preflight(PlannedRun plan, Path runs, Distribution distribution) {
    Group largest = plan.groups().get(0);
    long cores = 0;
    for (Group group : plan.groups()) {
      largest = bytes(plan, group) > bytes(plan, largest) ? group : largest;
      cores = Math.max(cores, settings(group).number("cores"));
    }
    List<String> problems = new ArrayList<>(Preflight.cores(cores).stream().toList());
    if (inNamespaces(plan)) {
      problems.addAll(Namespaces.lacking().stream().toList());
    }
    Sites sites = machines(plan, distribution);
    problems.addAll(memory(plan, largest, sites));
    plan.groups().stream()
        .filter(group -> relayed(group) && agentsApart(plan, group, sites))
        .limit(1)
        .forEach(group -> problems.add(ONE_RELAY));
    problems.addAll(Preflight.disk(runs).stream().toList());
    if (!problems.isEmpty()) {
      throw new RunException(String.join("\n", problems));
    }
  }

  /**
   * The hosts of a run, ready to start workers of its driver.
   *
   * @throws WorkerException with one sentence of a host that refuses
   */
  static Sites sites(PlannedRun plan, Distribution distribution) {
    return inNamespaces(plan)
        ? Sites.inNamespaces(
            most(plan, "nodes"),
            most(plan, "agents"),
            distribution,
            plan.driver(),
            plan.classPath().stream().map(Path::of).toList())
        : sites(plan, plan.hosts().orElse(List.of()), distribution);
  }

  private static int most(PlannedRun plan, String processes) {
    return plan.groups().stream()
        .mapToInt(group -> settings(group).integer(processes))
        .max()
        .orElse(1);
  }

  /** What has a memory of its own: the hosts, or this machine where they are its namespaces. */
  private static Sites machines(PlannedRun plan, Distribution distribution) {
    return inNamespaces(plan) ? here(plan, distribution) : sites(plan, distribution);
  }

  private static boolean inNamespaces(PlannedRun plan) {
    return plan.hosts().orElse(List.of()).contains(Host.NAMESPACES);
  }

  /** This machine alone. */
  static Sites here(PlannedRun plan, Distribution distribution) {
    return sites(plan, List.of(), distribution);
  }

  private static Sites sites(PlannedRun plan, List<Host> hosts, Distribution distribution) {
    return Sites.prepare(
        hosts,
        distribution,
        plan.driver(),
        plan.classPath().stream().map(Path::of).toList(),
        plan.config().map(Path::of));
  }

  /** Why a group's processes do not fit into the memory that is free now on this machine. */
  static Optional<String> doesNotFit(PlannedRun plan, Group group, Sites hosts) {
    Sites sites = hosts.namespaces().isPresent() ? hosts.here() : hosts;
    long needed = bytes(plan, group, sites, sites.all().get(0));
    return sites.all().get(0).base().isPresent()
        ? Optional.empty()
        : Preflight.memory(needed, processes(plan, settings(group)));
  }

  /** What does not fit on which host, by the most that is asked of it. */
  private static List<String> memory(PlannedRun plan, Group group, Sites sites) {
    List<String> problems = new ArrayList<>();
    for (Site site : sites.all()) {
      long needed = bytes(plan, group, sites, site);
      String what = processes(plan, settings(group));
      String there = sites.all().size() == 1 ? what : what + " on " + site.host().name();
      if (site.freeBytes().isPresent()) {
        Preflight.memory(needed, site.freeBytes().getAsLong(), there).ifPresent(problems::add);
      }
    }
    return problems;
  }

  /** Of a group's processes that are started on one host. */
  private static long bytes(PlannedRun plan, Group group, Sites sites, Site site) {
    Settings settings = settings(group);
    long bytes = 0;
    long nodes = plan.attach().isPresent() ? 0 : settings.number("nodes");
    for (int i = 0; i < nodes; i++) {
      bytes += sites.of("node", i).equals(site) ? nodeBytes(plan, settings) : 0;
    }
    for (int i = 0; i < settings.number("agents"); i++) {
      bytes += sites.of("agent", i).equals(site) ? agentBytes(settings) : 0;
    }
    boolean relay = relayed(group) && sites.of("agent", 0).equals(site);
    int networks = (relay ? 1 : 0) + (inNamespaces(plan) ? 1 : 0);
    return bytes + networks * (Cluster.NETWORK_HEAP + Preflight.JVM_OVERHEAD);
  }

  private static boolean agentsApart(PlannedRun plan, Group group, Sites sites) {
    if (inNamespaces(plan)) {
      return settings(group).integer("agents") > 1;
    }
    return IntStream.range(0, settings(group).integer("agents"))
        .anyMatch(i -> !sites.of("agent", i).equals(sites.of("agent", 0)));
  }

  /** Whether the clients of some trial go through a relay. */
  static boolean relayed(Group group) {
    return group.trials().stream().anyMatch(trial -> Shape.relayed(trial.settings()));
  }

  private static Settings settings(Group group) {
    return group.trials().get(0).settings().with(group.process());
  }

  private static String processes(PlannedRun plan, Settings settings) {
    long nodes = plan.attach().isPresent() ? 0 : settings.number("nodes");
    long agents = settings.number("agents");
    return String.format(
        Locale.ROOT,
        "%d node%s and %d agent%s",
        nodes,
        nodes == 1 ? "" : "s",
        agents,
        agents == 1 ? "" : "s");
  }

  private static long bytes(PlannedRun plan, Group group) {
    Settings settings = settings(group);
    long nodes = plan.attach().isPresent() ? 0 : settings.number("nodes");
    return nodes * nodeBytes(plan, settings) + settings.number("agents") * agentBytes(settings);
  }

  private static long nodeBytes(PlannedRun plan, Settings settings) {
    ServerDescription servers = plan.driver().servers();
    return servers.heapBytes(settings.number("node-heap"))
        + servers.memoryBytes(settings)
        + Preflight.JVM_OVERHEAD;
  }

  private static long agentBytes(Settings settings) {
    return settings.number("agent-heap") + Preflight.JVM_OVERHEAD;
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

  /** What the run runs on. */
  public static Environment environment(PlannedRun plan, Distribution distribution, Clock clock) {
    Settings settings = settings(plan.groups().get(0));
    Map<String, List<String>> flags = new TreeMap<>();
    for (String kind : List.of("node", "agent")) {
      List<String> command =
          distribution.workerCommand(plan.driver(), settings.number(kind + "-heap"), "", List.of());
      flags.put(kind, command.subList(1, command.indexOf("-cp")));
    }
    Map<String, String> versions = new TreeMap<>();
    versions.put(plan.driver().product(), plan.driver().version());
    versions.put("Pyrometer", distribution.version());
    return MachineInspection.environment(flags, versions, distribution.commit(), clock);
  }
}
