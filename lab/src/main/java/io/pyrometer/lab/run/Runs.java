package io.pyrometer.lab.run;

import io.pyrometer.lab.experiment.Experiment;
import io.pyrometer.lab.experiment.Group;
import io.pyrometer.lab.experiment.Plan;
import io.pyrometer.lab.journal.PlannedRun;
import io.pyrometer.lab.journal.RunException;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.lab.machine.Environment;
import io.pyrometer.lab.machine.Preflight;
import io.pyrometer.lab.process.Distribution;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Begins runs: checks that the machine suffices, and makes the folder. */
public final class Runs {
  private Runs() {}

  /** A plan as a run's folder keeps it. */
  public static PlannedRun planned(
      Plan plan, DriverDescription driver, List<String> arguments, List<Path> classPath) {
    Experiment experiment = plan.experiment();
    return new PlannedRun(
        PlannedRun.SCHEMA,
        experiment.name(),
        experiment.question(),
        arguments,
        experiment.seed(),
        experiment.blocks(),
        experiment.config().map(path -> path.toAbsolutePath().toString()),
        experiment.attach(),
        classPath.stream().map(path -> path.toAbsolutePath().toString()).toList(),
        experiment.analyses(),
        experiment.levels(),
        experiment.probes(),
        experiment.published(),
        driver,
        plan.groups());
  }

  /**
   * @throws RunException naming everything that the machine lacks
   */
  public static void preflight(PlannedRun plan, Path runs) {
    long most = 0;
    String what = "processes";
    for (Group group : plan.groups()) {
      long needed = bytes(plan, group);
      if (needed > most) {
        most = needed;
        what = processes(plan, settings(group));
      }
    }
    List<String> problems = Preflight.problems(most, what, runs);
    if (!problems.isEmpty()) {
      throw new RunException(String.join("\n", problems));
    }
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
    long region = settings.has("region") ? settings.number("region") : 0;
    long node = settings.number("node-heap") + region + Preflight.JVM_OVERHEAD;
    long agent = settings.number("agent-heap") + Preflight.JVM_OVERHEAD;
    long nodes = plan.attach().isPresent() ? 0 : settings.number("nodes");
    return nodes * node + settings.number("agents") * agent;
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
          distribution.workerCommand(plan.driver(), settings.number(kind + "-heap"), List.of());
      flags.put(kind, command.subList(1, command.indexOf("-cp")));
    }
    Map<String, String> versions = new TreeMap<>();
    versions.put(plan.driver().product(), plan.driver().version());
    versions.put("Pyrometer", distribution.version());
    return Environment.of(flags, versions, distribution.commit(), clock);
  }
}
