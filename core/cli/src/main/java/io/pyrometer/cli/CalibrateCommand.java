package io.pyrometer.cli;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.ExperimentReader;
import io.pyrometer.experiment.Overrides;
import io.pyrometer.experiment.Plan;
import io.pyrometer.experiment.Planner;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.compare.Calibration;
import io.pyrometer.results.compare.CalibrationPage;
import io.pyrometer.results.compare.CalibrationPlan;
import io.pyrometer.results.compare.Margins;
import io.pyrometer.results.page.RunReport;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pyrometer calibrate}. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description =
        "Runs an A/A test to find the noise of this machine, and how many blocks a comparison takes"
            + " to find a regression. Takes under 3 minutes.",
    footer = {
      "",
      "Examples:",
      "  pyrometer calibrate",
      "  pyrometer calibrate --driver null --blocks 10 --set measure=5s",
    })
final class CalibrateCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--driver",
      description = "The driver of the grid to measure (default: that of the default experiment).")
  Optional<String> driver = Optional.empty();

  @Option(names = "--path", description = "The access path (default: put-all, or put).")
  Optional<String> path = Optional.empty();

  @Option(names = "--blocks", paramLabel = "N", description = "The number of pairs (default: 5).")
  Optional<Integer> blocks = Optional.empty();

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the order in pairs.")
  Optional<Long> seed = Optional.empty();

  @Option(names = "--set", paramLabel = "NAME=VALUE", description = "Sets a setting; repeatable.")
  List<String> set = new ArrayList<>();

  @Option(
      names = "--delta",
      paramLabel = "[METRIC=]SHARE",
      description =
          "The smallest relevant difference that a gate is to have, of all metrics or of one, as"
              + " 3%% or 0.03; repeatable (default: 3%%; 5%% of p50 and 10%% of p99).")
  List<String> deltas = new ArrayList<>();

  @Mixin JsonOption form = new JsonOption();
  @Mixin RunsOption runs = new RunsOption();

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    Margins margins = Deltas.of(deltas).margins();
    Distribution distribution = Home.distribution();
    Catalogue catalogue = Home.catalogue();
    Plan plan =
        CalibrationPlan.of(
            catalogue, driver(catalogue), path, new Overrides(false, blocks, seed, set));
    PlannedRun planned =
        PlannedRun.of(
            plan, RunCommand.drivers(catalogue, plan.experiment()), arguments(line), List.of());
    RunPreparation.preflight(planned, runs.folder, distribution);
    RunFolder folder =
        RunPreparation.begin(
            planned, plan.experiment().source(), runs.folder, distribution, Clock.systemUTC());
    new Execution(form.people(line), distribution)
        .carryOut(folder, planned, TrialSource.of(planned), plan.estimatedSeconds());
    return tell(RunReport.write(folder), line, margins);
  }

  private String driver(Catalogue catalogue) {
    return driver.orElseGet(
        () ->
            Planner.plan(ExperimentReader.read(ExperimentOptions.DEFAULT, catalogue), catalogue)
                .trials()
                .get(0)
                .settings()
                .text("driver"));
  }

  private static List<String> arguments(CommandLine line) {
    List<String> arguments = new ArrayList<>(List.of("calibrate"));
    line.getParseResult().originalArgs().stream()
        .filter(argument -> !argument.isBlank() && !argument.equals("calibrate"))
        .forEach(arguments::add);
    return arguments;
  }

  private int tell(RunReport report, CommandLine line, Margins margins) {
    try {
      Calibration found = Calibration.of(report.run(), margins);
      PageOutput.show(
          line,
          form,
          CalibrationPage.of(found, PageOutput.typed(line)),
          report.run().folder().file("calibration.html"));
      return Main.OK;
    } catch (BadDataException tooFew) {
      line.getErr().println(tooFew.getMessage());
      return Main.TRIALS_NOT_RIGHT;
    }
  }
}
