package io.pyrometer.cli;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.RunException;
import io.pyrometer.results.Phrases;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pyrometer validate}. */
@Command(name = "validate", mixinStandardHelpOptions = true)
final class ValidateCommand extends JsonCommand {
  @Parameters(index = "0", paramLabel = "FILE")
  String file = "";

  @Mixin PreflightOptions preflight = new PreflightOptions();

  @Override
  public Integer call() {
    try {
      Plan plan = valid();
      if (!json) {
        people()
            .println(
                "%s is valid: %s, %s."
                    .formatted(
                        file,
                        Figures.count(plan.trials().size(), "trial"),
                        Phrases.about(plan.estimatedSeconds())));
      }
      print(new Verdict(true, plan.trials().size(), plan.estimatedSeconds(), List.of()));
      return Main.OK;
    } catch (ExperimentException | RunException invalid) {
      if (!json) {
        throw invalid;
      }
      print(new Verdict(false, 0, 0, List.of(String.valueOf(invalid.getMessage()))));
      return CommandLine.ExitCode.USAGE;
    }
  }

  /** The verdict for programs; without problems where the file is valid. */
  private record Verdict(boolean valid, int trials, double seconds, List<String> problems) {}

  private Plan valid() {
    Catalogue catalogue = Home.catalogue();
    PrintWriter people = people();
    Experiment possible =
        AvailabilityFilter.of(ExperimentReader.read(file, catalogue), catalogue, people);
    Experiment fitted =
        preflight.offline
            ? possible
            : CompilerChoice.of(List.of(possible), catalogue, people).experiment();
    Plan plan = Planner.plan(fitted, catalogue);
    preflight.tryOut(plan, catalogue, people);
    return plan;
  }
}
