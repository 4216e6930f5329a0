package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What commands try that check an experiment without running it. */
final class PreflightOptions extends ClassPathOption {
  @Option(
      names = "--offline",
      description =
          "Reads the file alone: loads no class of yours and reaches no grid that it attaches to.")
  boolean offline;

  /**
   * Compares the records of an experiment with the memory of its servers; then loads the classes
   * that it names and reaches the grid that it attaches to, once, unless the user forbids it.
   *
   * @throws RunException with one sentence if the records do not fit, a class is missing or the
   *     grid does not answer
   */
  void tryOut(Plan plan, Catalogue catalogue) {
    PlannedRun planned =
        PlannedRun.of(plan, RunCommand.drivers(catalogue, plan.experiment()), List.of(), classPath);
    Optional<String> problem = RunPreparation.tooManyRecords(planned);
    if (problem.isEmpty() && !offline) {
      mustExist("--classpath", classPath);
      problem = RunPreparation.unreachable(planned, Home.distribution());
    }
    problem.ifPresent(
        why -> {
          throw new RunException(why);
        });
  }
}
