package io.pyrometer.coordinator.testbed;

import io.pyrometer.experiment.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tries what every trial of a run would fail for: whether the classes of the user that its trials
 * name can be loaded, and whether the grid that it attaches to can be reached. One agent of each
 * driver is started for it, so that a mistake costs one sentence and not all trials. Nothing is
 * made or changed in the grid.
 */
public final class TestbedCheck {

  private TestbedCheck() {}

  /**
   * Tries it; does nothing for a run that attaches to no grid and names no class.
   *
   * @return what is wrong, in one sentence; empty if nothing was found
   */
  public static Optional<String> of(
      PlannedRun plan, PreparedHosts hosts, ProcessLauncher launcher) {
    Map<List<Object>, Group> agents = new LinkedHashMap<>();
    for (Group group : plan.groups()) {
      if (plan.testbed().attach().isPresent() || !naming(group).isEmpty()) {
        agents.putIfAbsent(
            List.of(plan.driver(group.settings()).name(), plan.classesBefore(group)), group);
      }
    }
    if (agents.isEmpty()) {
      return Optional.empty();
    }
    try {
      inFolder(
          folder ->
              agents
                  .values()
                  .forEach(group -> one(plan, hosts, launcher, group, folder, agent -> {})));
      return Optional.empty();
    } catch (WorkerException failure) {
      return Optional.of(sentence(failure));
    }
  }

  /**
   * Looks at a cache of the grid that a run attaches to.
   *
   * @param records how many to look at, at most
   * @throws RunException with one sentence if the grid cannot be reached or has no such records
   */
  public static CacheSample sample(
      PlannedRun plan, PreparedHosts hosts, ProcessLauncher launcher, String cache, int records) {
    List<CacheSample> seen = new ArrayList<>();
    Command look = new Command.SampleCache(cache, records);
    try {
      inFolder(
          folder ->
              one(
                  plan,
                  hosts,
                  launcher,
                  plan.groups().get(0),
                  folder,
                  agent ->
                      seen.add(
                          agent
                              .request(look, Answer.CacheSampled.class, Timeouts.PREPARE)
                              .sample())));
      return seen.get(0);
    } catch (WorkerException failure) {
      throw new RunException(sentence(failure), failure);
    }
  }

  /** Which agent tried it does not help the reader. */
  private static String sentence(WorkerException failure) {
    return failure.sentence().replaceFirst("^agent-\\d+: ", "");
  }

  private static void inFolder(Consumer<RunFolder> what) {
    try {
      Path temporary = Files.createTempDirectory("pyrometer-check-");
      try {
        Files.createDirectories(temporary.resolve("logs"));
        what.accept(new RunFolder(temporary));
      } finally {
        WorkFolders.delete(temporary);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Starts an agent of a group, has it do what the check asks for, and stops it. */
  private static void one(
      PlannedRun plan,
      PreparedHosts hosts,
      ProcessLauncher launcher,
      Group group,
      RunFolder folder,
      Consumer<ManagedProcess> then) {
    ClusterSpec spec =
        new ClusterSpec(
            launcher,
            hosts,
            plan,
            folder,
            group.settings(),
            plan.classesBefore(group),
            false,
            List.of(),
            "check");
    ManagedProcess agent = launcher.startAll(List.of(spec.launch(Cluster.AGENT, 0))).get(0);
    try {
      Answer.Done unused =
          agent.request(
              new Command.LoadClasses(naming(plan, group)), Answer.Done.class, Timeouts.START);
      plan.testbed()
          .attach()
          .ifPresent(
              address -> {
                agent.leaveOnKill();
                Answer.Started unusedStarted =
                    agent.request(
                        new Command.OpenSession(
                            0,
                            1,
                            Cluster.addresses(address),
                            List.of(),
                            spec.configOf(agent),
                            true,
                            spec.workFolder(agent),
                            spec.settings()),
                        Answer.Started.class,
                        Timeouts.START);
              });
      then.accept(agent);
    } finally {
      agent.stop(Timeouts.STOP);
      hosts.all().forEach(host -> host.clean(spec.label()));
    }
  }

  /** The trials of the driver's first block that name classes, one for each set of names. */
  private static List<TrialSpec> naming(PlannedRun plan, Group like) {
    String driver = plan.driver(like.settings()).name();
    Map<Object, TrialSpec> different = new LinkedHashMap<>();
    for (Group group : plan.groups()) {
      if (plan.driver(group.settings()).name().equals(driver)) {
        naming(group).forEach(trial -> different.putIfAbsent(names(trial), trial));
      }
    }
    return new ArrayList<>(different.values());
  }

  private static List<TrialSpec> naming(Group group) {
    return group.trials().stream().filter(trial -> !names(trial).isEmpty()).toList();
  }

  /** Every text in which the trial may name a class or a file, with what it names it for. */
  private static Map<String, String> names(TrialSpec trial) {
    Map<String, String> names = new LinkedHashMap<>();
    trial.record().className().ifPresent(name -> names.put("record", name));
    for (String setting : List.of("scenario", "receiver", "queries")) {
      if (trial.settings().has(setting)) {
        names.put(setting, trial.settings().text(setting));
      }
    }
    return names;
  }
}
