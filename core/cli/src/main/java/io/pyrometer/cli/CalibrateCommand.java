package io.pyrometer.cli;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.run.RunPreparation;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.results.compare.Calibration;
import io.pyrometer.results.compare.Margins;
import io.pyrometer.results.page.RunReport;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class CalibrateCommand extends ReportingCommand {
  @Option(
      names = "--driver",
      description = "The driver of the grid to measure (default: that of the default experiment).")
  Optional<String> driver = Optional.empty();

  @Option(names = "--path", description = "The access path (default: put-all, or put).")
  Optional<String> path = Optional.empty();

  @Mixin OverrideOptions overrides = new OverrideOptions();

  @Option(
      names = "--delta",
      paramLabel = "[METRIC=]SHARE",
      description =
          "The smallest relevant difference that a gate is to have, of all metrics or of one, as"
              + " 3%% or 0.03; repeatable (default: 3%%; 5%% of p50 and 10%% of p99).")
  List<String> deltas = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine line = line();
    Margins margins = Margins.parse(deltas);
    Distribution distribution = Home.distribution();
    Catalogue catalogue = Home.catalogue();
    Plan asked = plan(catalogue, List.of());
    CompilerChoice compilers = CompilerChoice.of(asked.experiment(), catalogue, people());
    Plan plan = compilers.chosen() ? plan(catalogue, List.of(CompilerChoice.setting())) : asked;
    PlannedRun planned =
        PlannedRun.of(
            plan,
            RunCommand.drivers(catalogue, plan.experiment()),
            compilers.arguments(line),
            List.of());
    Optional<GridDescription> unused = RunPreparation.preflight(planned, runs, distribution);
    RunFolder folder =
        RunPreparation.begin(
            planned, plan.experiment().source(), runs, distribution, Clock.systemUTC());
    new Execution(people(), distribution)
        .runTrials(folder, planned, TrialSource.of(planned), plan.estimatedSeconds());
    return tell(RunReport.write(folder), line, margins);
  }

  private Plan plan(Catalogue catalogue, List<String> more) {
    List<String> set = new ArrayList<>(overrides.set);
    set.addAll(more);
    return CalibrationPlan.of(
        catalogue,
        driver(catalogue),
        path,
        new Overrides(false, overrides.blocks, overrides.seed, set));
  }

  private String driver(Catalogue catalogue) {
    return driver.orElseGet(
        () ->
            Planner.plan(ExperimentReader.read(ExperimentOptions.DEFAULT, catalogue), catalogue)
                .trials()
                .get(0)
                .settings()
                .get(CoreSettings.DRIVER));
  }

  private int tell(RunReport report, CommandLine line, Margins margins) {
    try {
      Calibration found = Calibration.of(report.run(), margins);
      PageOutput.show(
          line,
          form,
          found.page(PageOutput.typed(line)),
          report.run().folder().file("calibration.html"));
      return Main.OK;
    } catch (BadDataException tooFew) {
      line.getErr().println(tooFew.getMessage());
      return Main.TRIALS_NOT_RIGHT;
    }
  }
}
