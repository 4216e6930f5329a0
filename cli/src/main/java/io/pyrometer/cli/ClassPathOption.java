package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.Plan;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The user's own classes, for commands that read an experiment. */
final class ClassPathOption {
  @Option(
      names = "--classpath",
      split = ":",
      paramLabel = "PATH",
      description = "Your own classes, separated by ':', such as those of records.")
  List<Path> classPath = new ArrayList<>();

  /**
   * Loads the classes that an experiment names and reaches the grid that it attaches to, once.
   *
   * @throws RunException with one sentence if a class is missing or the grid does not answer
   */
  void tryOut(Plan plan, Catalogue catalogue) {
    mustExist("--classpath", classPath);
    PlannedRun planned =
        PlannedRun.of(plan, RunCommand.drivers(catalogue, plan.experiment()), List.of(), classPath);
    RunPreparation.unreachable(planned, Home.distribution())
        .ifPresent(
            why -> {
              throw new RunException(why);
            });
  }

  /**
   * Checks a class path.
   *
   * @throws RunException naming the first part that does not exist
   */
  static void mustExist(String option, List<Path> classPath) {
    for (Path path : classPath) {
      if (!Files.exists(path)) {
        throw new RunException(
            "%s names %s, which does not exist; build your classes or correct it."
                .formatted(option, path));
      }
    }
  }
}
