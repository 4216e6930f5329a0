package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.Catalogue;
import io.pyrometer.experiment.Experiment;
import io.pyrometer.experiment.ExperimentReader;
import io.pyrometer.experiment.Plan;
import io.pyrometer.experiment.Planner;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ships must be valid for the drivers as they were built. */
class BundledExperimentsIT {

  private static final Catalogue CATALOGUE =
      Catalogue.load(Path.of(System.getProperty("pyrometer.dist"), "drivers"));

  @ParameterizedTest
  @MethodSource("bundled")
  void everyBundledExperimentIsValidForItsDriver(String name) {
    Experiment experiment = ExperimentReader.read(name, CATALOGUE);
    Plan plan = Planner.plan(experiment, CATALOGUE);
    assertThat(experiment.name()).isEqualTo(name);
    assertThat(plan.trials()).isNotEmpty();
  }

  static Set<String> bundled() {
    assertThat(CATALOGUE.experiments()).containsKeys("first-light", "harness");
    return CATALOGUE.experiments().keySet();
  }
}
