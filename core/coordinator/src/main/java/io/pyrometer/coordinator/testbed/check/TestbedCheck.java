package io.pyrometer.coordinator.testbed.check;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.ClusterSpec;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.StartWait;
import io.pyrometer.coordinator.testbed.process.WorkerLauncher;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.WorkloadSample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tries what every trial of a run would fail for: whether the classes of the user that its trials
 * name can be loaded, and whether the grid that it attaches to can be reached. One agent of each
 * driver is started for it, so that a mistake costs one sentence and not all trials; it also asks
 * what that grid is like, and whether its servers have room for the records of all treatments.
 * Nothing is made or changed in the grid.
 */
public final class TestbedCheck {

  private TestbedCheck() {}

  /**
   * Tries it; does nothing for a run that attaches to no grid and names no class.
   *
   * @return the grid that the run attaches to
   * @throws RunException with what is wrong, in one sentence
   */
  public static Optional<GridDescription> of(
      PlannedRun plan, PreparedHosts hosts, ProcessLauncher launcher) {
    boolean attached = plan.testbed().attach().isPresent();
    Map<List<Object>, Group> agents = new LinkedHashMap<>();
    for (Group group : plan.groups()) {
      if (attached || naming(plan, group.trials()).findAny().isPresent()) {
        agents.putIfAbsent(
            List.of(plan.driver(group.settings()).name(), plan.classesBefore(group)), group);
      }
    }
    Optional<GridDescription> grid = Optional.empty();
    try {
      for (Group group : agents.values()) {
        grid = withAgent(plan, hosts, launcher, group, agent -> tried(plan, group, agent));
      }
      return grid;
    } catch (WorkerException failure) {
      throw new RunException(sentence(failure), failure);
    }
  }

  private static Optional<GridDescription> tried(PlannedRun plan, Group group, CheckAgent agent) {
    Answer.Done unused =
        agent.start(new Command.LoadClasses(naming(plan, group)), Answer.Done.class);
    agent.attach();
    if (plan.testbed().attach().isEmpty()) {
      return Optional.empty();
    }
    Command describe =
        new Command.DescribeGrid(
            List.copyOf(plan.recordsRead().keySet()),
            plan.trials().stream().map(TrialSpec::path).distinct().sorted().toList());
    Answer.GridDescribed grid =
        agent.worker.request(describe, Answer.GridDescribed.class, Timeouts.PREPARE);
    Command room = new Command.CheckRoom(firstBlock(plan, group));
    unused = agent.worker.request(room, Answer.Done.class, Timeouts.PREPARE);
    return Optional.of(grid.grid());
  }

  /**
   * Looks at a cache of the grid that a run attaches to.
   *
   * @param records how many to look at, at most
   * @throws RunException with one sentence if the grid cannot be reached or has no such records
   */
  public static CacheSample sample(
      PlannedRun plan, Distribution distribution, String cache, int records) {
    return ask(
            plan,
            distribution,
            agent -> {
              agent.attach();
              return new Command.SampleCache(cache, records);
            },
            Answer.CacheSampled.class,
            Duration.ZERO)
        .sample();
  }

  /**
   * Reads the workload from a folder of the product's statistics on this machine.
   *
   * @param records that the experiment writes
   * @throws RunException with one sentence if they cannot be read
   */
  public static WorkloadSample sample(
      PlannedRun plan, Distribution distribution, Path folder, long records) {
    return ask(
            plan,
            distribution,
            agent -> new Command.SampleStatistics(folder.toAbsolutePath().toString(), records),
            Answer.WorkloadSampled.class,
            Duration.ZERO)
        .sample();
  }

  /**
   * Looks for faults in the grid that a run attaches to, or in its configuration file.
   *
   * @param length how long to observe the grid
   * @param file on this machine to examine instead of the grid, or a folder of statistics
   * @param statistics a new folder for statistics that the grid records of itself meanwhile, which
   *     are examined
   * @throws RunException with one sentence if the grid cannot be reached, or its driver has no
   *     checks
   */
  public static HealthReport examine(
      PlannedRun plan,
      Distribution distribution,
      Duration length,
      Optional<Path> file,
      Optional<Path> statistics) {
    return ask(
            plan,
            distribution,
            agent -> {
              if (file.isEmpty()) {
                agent.attach();
              }
              return new Command.Examine(
                  file.map(each -> each.toAbsolutePath().toString()),
                  length.toMillis() / 1e3,
                  statistics.map(each -> each.toAbsolutePath().toString()));
            },
            Answer.Examined.class,
            length)
        .report();
  }

  private static <A extends Answer> A ask(
      PlannedRun plan,
      Distribution distribution,
      Function<CheckAgent, Command> command,
      Class<A> type,
      Duration length) {
    try (PreparedHosts hosts = PreparedHosts.machines(plan, distribution);
        ProcessLauncher launcher = new WorkerLauncher(() -> {})) {
      return withAgent(
          plan,
          hosts,
          launcher,
          plan.groups().get(0),
          agent -> agent.worker.request(command.apply(agent), type, Timeouts.PREPARE.plus(length)));
    } catch (WorkerException failure) {
      throw new RunException(sentence(failure), failure);
    }
  }

  private static List<TrialSpec> firstBlock(PlannedRun plan, Group like) {
    return plan.groups().stream()
        .filter(group -> group.block() == like.block())
        .filter(group -> plan.driver(group.settings()).equals(plan.driver(like.settings())))
        .flatMap(group -> group.trials().stream())
        .toList();
  }

  /** The trials of the driver that name classes, one for each set of names. */
  private static List<TrialSpec> naming(PlannedRun plan, Group like) {
    String driver = plan.driver(like.settings()).name();
    Map<Object, TrialSpec> different = new LinkedHashMap<>();
    plan.groups().stream()
        .filter(group -> plan.driver(group.settings()).name().equals(driver))
        .flatMap(group -> naming(plan, group.trials()))
        .forEach(trial -> different.putIfAbsent(names(plan, trial), trial));
    return List.copyOf(different.values());
  }

  private static Stream<TrialSpec> naming(PlannedRun plan, List<TrialSpec> trials) {
    return trials.stream().filter(trial -> !names(plan, trial).isEmpty());
  }

  /** Every text in which the trial may name a class or a file, with what it names it for. */
  private static Map<String, String> names(PlannedRun plan, TrialSpec trial) {
    Map<String, String> names = new LinkedHashMap<>();
    trial.record().className().ifPresent(name -> names.put("record", name));
    plan.driver(trial.settings()).path(trial.path()).stream()
        .flatMap(path -> path.settings().stream())
        .filter(setting -> setting.type() == SettingDescription.Type.TEXT)
        .map(SettingDescription::name)
        .filter(trial.settings()::has)
        .forEach(setting -> names.put(setting, trial.settings().text(setting)));
    return names;
  }

  /** The failure without the name of the agent, which does not help the reader. */
  private static String sentence(WorkerException failure) {
    return failure.sentence().replaceFirst("^agent-\\d+: ", "");
  }

  /** Starts an agent before a run, to try or to ask something, and leaves nothing behind. */
  private static <T> T withAgent(
      PlannedRun plan,
      PreparedHosts hosts,
      ProcessLauncher launcher,
      Group group,
      Function<CheckAgent, T> use) {
    Path folder = newFolder();
    ClusterSpec spec =
        new ClusterSpec(
            launcher,
            hosts,
            plan,
            new RunFolder(folder),
            group.settings(),
            plan.classesBefore(group),
            false,
            List.of(),
            group.kind(),
            "check");
    try {
      ManagedProcess worker = launcher.startAll(List.of(spec.launch("agent-0", ""))).get(0);
      try {
        return use.apply(new CheckAgent(spec, worker));
      } finally {
        worker.stop(Timeouts.STOP);
      }
    } finally {
      hosts.all().forEach(host -> host.clean(spec.label()));
      WorkFolders.delete(folder);
    }
  }

  private static Path newFolder() {
    try {
      Path temporary = Files.createTempDirectory("pyrometer-check-");
      Files.createDirectories(temporary.resolve("logs"));
      return temporary;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private record CheckAgent(ClusterSpec spec, ManagedProcess worker) {
    /**
     * Connects to the grid that the run attaches to; does nothing for a run that attaches to none.
     */
    void attach() {
      spec.attachedAddresses()
          .ifPresent(
              addresses -> {
                worker.leaveOnKill();
                Command join = spec.openSession(worker, 0, 1, addresses, List.of());
                Answer.Started unused = start(join, Answer.Started.class);
              });
    }

    <A extends Answer> A start(Command command, Class<A> type) {
      return StartWait.requestAll(List.of(worker), i -> command, type, Timeouts.START).get(0);
    }
  }
}
