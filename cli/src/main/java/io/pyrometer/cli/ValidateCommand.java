package io.pyrometer.cli;

import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.ExperimentReader;
import io.pyrometer.experiment.Plan;
import io.pyrometer.experiment.Planner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer validate}. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Reports every mistake in an experiment file, with line and column.",
    footer = {"", "Example:", "  pyrometer validate mine.yaml"})
final class ValidateCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FILE", description = "An experiment's YAML file.")
  String file = "";

  @Override
  public Integer call() {
    Catalogue catalogue = Home.catalogue();
    Plan plan = Planner.plan(ExperimentReader.read(file, catalogue), catalogue);
    spec.commandLine()
        .getOut()
        .println(
            "%s is valid: %d trials, %s."
                .formatted(file, plan.trials().size(), Console.about(plan.estimatedSeconds())));
    return Main.OK;
  }
}
