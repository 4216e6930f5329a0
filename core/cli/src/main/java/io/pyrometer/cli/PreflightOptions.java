package io.pyrometer.cli;

import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.results.compare.JudgedMetrics;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of commands that check an experiment without running it. */
final class PreflightOptions extends ClassPathOption {
  @Option(names = "--offline")
  boolean offline;

  /**
   * Checks an experiment as {@code run} does before its first trial; offline, only its records.
   *
   * @param people receives the description of the grid that it attaches to
   * @throws RunException with one sentence for each thing that is lacking
   */
  void tryOut(Plan plan, Catalogue catalogue, PrintWriter people) {
    PlannedRun planned = planned(plan, catalogue);
    JudgedMetrics.requireThresholds(planned);
    if (!offline) {
      mustExist();
      RunPreparation.preflight(planned, Path.of(""), Home.distribution())
          .ifPresent(
              grid -> {
                Experiment fitted =
                    AttachedGrid.fitted(plan.experiment(), planned, grid, catalogue);
                AttachedGrid.show(
                    planned(Planner.plan(fitted, catalogue), catalogue), grid, people);
              });
    }
    RareOperations.of(planned).ifPresent(sentence -> Console.say(people, sentence));
    RunPreparation.wrongRecords(planned)
        .ifPresent(
            why -> {
              throw new RunException(why);
            });
  }
}
