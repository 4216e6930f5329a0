package io.pyrometer.cli;

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
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer validate}. */
@Command(name = "validate", mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FILE")
  String file = "";

  @Mixin PreflightOptions preflight = new PreflightOptions();

  @Mixin JsonOption form = new JsonOption();

  @Override
  public Integer call() {
    return form.json ? asJson() : inWords();
  }

  /** The verdict for programs; without problems where the file is valid. */
  private record Verdict(boolean valid, int trials, double seconds, List<String> problems) {}

  private int asJson() {
    try {
      Plan plan = valid();
      form.print(
          spec.commandLine(),
          new Verdict(true, plan.trials().size(), plan.estimatedSeconds(), List.of()));
      return Main.OK;
    } catch (ExperimentException | RunException invalid) {
      List<String> problems = List.of(String.valueOf(invalid.getMessage()));
      form.print(spec.commandLine(), new Verdict(false, 0, 0, problems));
    }
    return CommandLine.ExitCode.USAGE;
  }

  private Plan valid() {
    Catalogue catalogue = Home.catalogue();
    PrintWriter people = form.people(spec.commandLine());
    Experiment possible =
        AvailabilityFilter.of(ExperimentReader.read(file, catalogue), catalogue, people);
    Experiment fitted =
        preflight.offline ? possible : CompilerChoice.of(possible, catalogue, people).experiment();
    Plan plan = Planner.plan(fitted, catalogue);
    preflight.tryOut(plan, catalogue, people);
    return plan;
  }

  private int inWords() {
    Plan plan = valid();
    spec.commandLine()
        .getOut()
        .println(
            "%s is valid: %s, %s."
                .formatted(
                    file,
                    Console.count(plan.trials().size(), "trial"),
                    Phrases.about(plan.estimatedSeconds())));
    return Main.OK;
  }
}
