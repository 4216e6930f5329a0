package io.pyrometer.cli;

import io.pyrometer.coordinator.run.Runs;
import io.pyrometer.coordinator.testbed.Distribution;
import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pyrometer run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Carries an experiment out and reports what it found.",
    footer = {
      "",
      "Examples:",
      "  pyrometer run",
      "  pyrometer run --quick --set path=put,put-all",
      "  pyrometer run mine.yaml --blocks 5 --out /data/runs --classpath build/classes",
    })
final class RunCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();
  @Mixin ExperimentOptions options = new ExperimentOptions();
  @Mixin RunsOption runs = new RunsOption();

  @Option(
      names = "--classpath",
      split = ":",
      paramLabel = "PATH",
      description = "Your own classes, for records that name one; parts are divided by ':'.")
  List<Path> classPath = new ArrayList<>();

  @Override
  public Integer call() {
    Distribution distribution = Home.distribution();
    Catalogue catalogue = Home.catalogue();
    Plan plan = options.plan(catalogue);
    mustExist(classPath);
    PlannedRun planned =
        PlannedRun.of(
            plan, driver(catalogue, plan), PageOutput.arguments(spec.commandLine()), classPath);
    Runs.preflight(planned, runs.folder, distribution);
    RunFolder folder =
        Runs.begin(
            planned, plan.experiment().source(), runs.folder, distribution, Clock.systemUTC());
    return new Execution(spec.commandLine().getOut(), distribution)
        .run(folder, planned, plan.estimatedSeconds());
  }

  private static DriverDescription driver(Catalogue catalogue, Plan plan) {
    List<String> names = plan.experiment().drivers();
    if (names.size() > 1) {
      throw new RunException(
          "This version plans but does not run several drivers in one experiment; keep one with"
              + " --set driver=%s.".formatted(names.get(0)));
    }
    return Optional.ofNullable(catalogue.drivers().get(names.get(0)))
        .orElseThrow(() -> new RunException("There is no driver '%s'.".formatted(names.get(0))));
  }

  private static void mustExist(List<Path> classPath) {
    for (Path path : classPath) {
      if (!Files.exists(path)) {
        throw new RunException(
            "--classpath names %s, which does not exist; build your classes or correct it."
                .formatted(path));
      }
    }
  }
}
