package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ships must be valid for the drivers as they were built. */
class BundledExperimentsIT {

  private static final Catalogue CATALOGUE =
      Catalogue.load(Path.of(System.getProperty("pyrometer.dist")));

  /** That each is valid is what {@code list} shows, which plans them all; see CommandLineIT. */
  @Test
  void everyBundledExperimentIsNamedAfterItsFile() {
    assertThat(CATALOGUE.experiments())
        .containsKeys("first-light", "harness")
        .allSatisfy((name, file) -> assertThat(file).contains("\nname: " + name + "\n"));
  }

  /** Their figures stand in lab/, so they must stay runnable. */
  @Test
  void everyStudyIsValid(@TempDir Path folder) throws IOException {
    Pyrometer unused = Pyrometer.withTestDrivers(folder);
    Path drivers = folder.resolve("dist").resolve("drivers");
    Files.createSymbolicLink(
        drivers.resolve("ignite"), Path.of(System.getProperty("pyrometer.dist"), "drivers/ignite"));
    Catalogue catalogue = Catalogue.load(folder.resolve("dist"));
    try (Stream<Path> studies = Files.list(Path.of("../../lab/studies"))) {
      assertThat(studies.filter(study -> study.toString().endsWith(".yaml")))
          .isNotEmpty()
          .allSatisfy(
              study -> {
                Experiment experiment = ExperimentReader.read(study.toString(), catalogue);
                assertThat(study).hasFileName(experiment.name() + ".yaml");
                assertThat(Planner.plan(experiment, catalogue).trials()).isNotEmpty();
              });
    }
  }
}
