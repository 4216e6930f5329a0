package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.ExperimentSchema;
import io.pyrometer.experiment.yaml.Reference;
import io.pyrometer.protocol.DriverDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is generated from the declarations of settings is committed as it is generated. */
class ReferenceIT {

  private static final List<DriverDescription> DRIVERS = Home.distribution().drivers();

  @Test
  void theDriversThatShipAreThere() {
    assertThat(DRIVERS).extracting(DriverDescription::name).contains("ignite", "null");
  }

  @Test
  void theSchemaIsThatOfTheDeclarations() throws IOException {
    same("docs/experiment.schema.json", ExperimentSchema.of(DRIVERS), "--schema");
  }

  @Test
  void theReferencePageIsThatOfTheDeclarations() throws IOException {
    same("docs/reference.md", Reference.page(DRIVERS), "--markdown");
  }

  private static void same(String file, String generated, String option) throws IOException {
    assertThat(Files.readString(Path.of("../..").resolve(file)))
        .as(
            "%s is out of date; regenerate it with: ./pyrometer list %s >/tmp/new && mv /tmp/new %s",
            file, option, file)
        .isEqualTo(generated);
  }
}
