package io.pyrometer.cli;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A driver with nodes and three paths, without a product. */
final class OneGrid {
  static final Catalogue CATALOGUE =
      Catalogue.of(
          List.of(
              new DriverDescription(
                  "some",
                  "Some",
                  "1",
                  "A grid.",
                  List.of("nodes", "attach"),
                  ServerDescription.NO_PORTS,
                  List.of(),
                  List.of(),
                  List.of(
                      new PathDescription(
                          "put",
                          Job.WRITE,
                          true,
                          "Writes.",
                          Optional.of(Guarantee.OF_ONE),
                          List.of()),
                      new PathDescription(
                          "existing-get", Job.READ, true, "Reads.", Optional.empty(), List.of()),
                      new PathDescription(
                          "mixed",
                          Job.MIX,
                          false,
                          "Mixes.",
                          Optional.of(Guarantee.OF_ONE),
                          List.of(
                              PathSettings.MIX
                                  .withChoices(List.of("get", "get-all", "put"))
                                  .description()))),
                  List.of(),
                  DataFactRules.NONE,
                  List.of(),
                  List.of())));

  private OneGrid() {}

  /** An experiment on it, with more lines of its grid, its workload and its file. */
  static Experiment experiment(String grid, String workload, String more) {
    String text =
        """
        pyrometer: 1
        name: one
        question: How fast?
        grid: {driver: some%s}
        workload: {%s}
        %s
        """;
    return ExperimentReader.read(
        text.formatted(grid, workload, more), "one.yaml", Path.of(""), CATALOGUE);
  }

  static PlannedRun planned(Experiment experiment) {
    return PlannedRun.of(
        Planner.plan(experiment, CATALOGUE), CATALOGUE.drivers(), List.of(), List.of(), Map.of());
  }
}
