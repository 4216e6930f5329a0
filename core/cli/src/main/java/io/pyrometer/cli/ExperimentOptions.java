package io.pyrometer.cli;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Overrides;
import io.pyrometer.journal.RunException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The experiment to measure, and the changes to it. */
final class ExperimentOptions extends OverrideOptions {
  /** The default experiment. */
  static final String DEFAULT = "first-light";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      defaultValue = DEFAULT,
      description = "A YAML file, or the name of a bundled experiment (default: ${DEFAULT-VALUE}).")
  String experiment = DEFAULT;

  @Option(names = "--quick", description = "One block of short trials: a first impression.")
  boolean quick;

  @Option(names = "--full", description = "The experiment's full length, if it has one.")
  boolean full;

  @Option(
      names = "--nodes",
      paramLabel = "1..N",
      description = "The numbers of nodes, such as 1..8 or 1,2,4; same as --set nodes=….")
  Optional<String> nodes = Optional.empty();

  /** The experiment with the changes of the options. */
  Experiment experiment(Catalogue catalogue) {
    if (quick && full) {
      throw new RunException("--quick and --full exclude each other: remove one.");
    }
    Experiment whole = ExperimentReader.read(experiment, catalogue);
    return new Overrides(quick, blocks, seed, changes())
        .applyTo(full ? Overrides.atFullLength(whole, catalogue) : whole, catalogue);
  }

  private List<String> changes() {
    List<String> changes = new ArrayList<>(set);
    nodes.ifPresent(levels -> changes.add("nodes=" + levels));
    return changes;
  }
}
