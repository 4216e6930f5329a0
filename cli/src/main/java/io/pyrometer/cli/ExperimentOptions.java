package io.pyrometer.cli;

import io.pyrometer.lab.experiment.Catalogue;
import io.pyrometer.lab.experiment.ExperimentReader;
import io.pyrometer.lab.experiment.Overrides;
import io.pyrometer.lab.experiment.Plan;
import io.pyrometer.lab.experiment.Planner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which experiment, and what is changed in it. */
final class ExperimentOptions {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      defaultValue = "first-light",
      description = "A YAML file, or the name of a bundled experiment (default: ${DEFAULT-VALUE}).")
  String experiment = "first-light";

  @Option(names = "--quick", description = "One block, with short trials: a first impression.")
  boolean quick;

  @Option(names = "--blocks", paramLabel = "N", description = "How many replicates of everything.")
  Optional<Integer> blocks = Optional.empty();

  @Option(names = "--seed", paramLabel = "N", description = "Of the order of trials and the data.")
  Optional<Long> seed = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE,…",
      description = "The levels to keep of a factor, or another value of a setting; repeatable.")
  List<String> set = new ArrayList<>();

  Plan plan(Catalogue catalogue) {
    return Planner.plan(
        ExperimentReader.read(experiment, catalogue)
            .with(new Overrides(quick, blocks, seed, set), catalogue),
        catalogue);
  }
}
