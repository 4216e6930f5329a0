package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.ExperimentSchema;
import io.pyrometer.experiment.yaml.Reference;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages that are generated from declarations and message files are committed as generated. */
class ReferenceIT {

  private static final List<DriverDescription> DRIVERS = Home.distribution().drivers();

  @Test
  void theSchemaIsThatOfTheDeclarations() throws IOException {
    same("docs/experiment.schema.json", ExperimentSchema.of(DRIVERS), "list --schema");
  }

  @Test
  void theReferencePageIsThatOfTheDeclarations() throws IOException {
    same("docs/reference.md", Reference.page(DRIVERS), "list --markdown");
  }

  @Test
  void theFindingsPageIsThatOfTheMessageFiles() throws IOException {
    same("docs/findings.md", ExplainCommand.page(Messages.bundled()), "explain --markdown");
  }

  @Test
  void everyFindingHasASentenceAndAMeaning() {
    Messages messages = Messages.bundled();
    assertThat(messages.ids()).contains("doctor.missing-index");
    // A mark and the purpose of a next command are explained by their own text.
    assertThat(messages.ids())
        .filteredOn(id -> !id.matches("(mark|next)\\..*"))
        .allSatisfy(id -> assertThat(messages.template(id + ".meaning")).as(id).isPresent());
  }

  private static void same(String file, String generated, String command) throws IOException {
    assertThat(Files.readString(Path.of("../..").resolve(file)))
        .as(
            "%s is out of date; regenerate it with: ./pyrometer %s >/tmp/new && mv /tmp/new %s",
            file, command, file)
        .isEqualTo(generated);
  }
}
