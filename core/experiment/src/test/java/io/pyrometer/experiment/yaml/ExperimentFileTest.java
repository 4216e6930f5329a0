package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentFileTest {

  private static final String TEXT =
      """
      pyrometer: 1
      name: file
      question: Which?
      grid: {driver: rich, config: conf/grid.xml}
      workload: {record: sample-record, path: put}
      """;

  @TempDir Path folder;

  @Test
  void theConfigurationIsFoundBesideTheFile() throws IOException {
    Path config = Files.createDirectories(folder.resolve("conf")).resolve("grid.xml");
    Files.writeString(config, "<beans/>");
    Path file = Files.writeString(folder.resolve("mine.yaml"), TEXT);
    Experiment experiment = ExperimentReader.read(file, Fixture.CATALOGUE);
    assertThat(experiment.testbed().config()).contains(config.toAbsolutePath());
    assertThat(experiment.source()).isEqualTo(TEXT);
  }

  @Test
  void aMissingFileIsOneSentence() {
    assertThat(problem("frist-light")).contains("'first-light'");
  }

  @Test
  void aFolderOrBytesThatAreNoTextAreOneSentence() throws IOException {
    assertThat(problem(folder.toString())).startsWith(folder + ": ");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, "name: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(problem(latin.toString())).startsWith(latin + ": ").contains("UTF-8");
  }

  @Test
  void anExperimentOfTheCatalogueIsReadByItsName() {
    String text = TEXT.replace(", config: conf/grid.xml", "");
    Catalogue catalogue =
        Catalogue.of(
            List.copyOf(Fixture.CATALOGUE.drivers().values()), Map.of("bundled-one", text));
    assertThat(ExperimentReader.read("bundled-one", catalogue).source()).isEqualTo(text);
  }

  @Test
  void anExperimentIsNamedAfterItsFileWithoutTheEnding() throws IOException {
    Path topic = Files.createDirectories(folder.resolve("topic"));
    Files.writeString(topic.resolve("old.yaml-files.yaml"), TEXT);
    Files.writeString(topic.resolve("notes.md"), "");
    assertThat(Catalogue.experiments(folder)).containsOnlyKeys("old.yaml-files");
  }

  private static String problem(String fileOrName) {
    return catchThrowableOfType(
            ExperimentException.class,
            () ->
                ExperimentReader.read(
                    fileOrName, Catalogue.of(List.of(), Map.of("first-light", TEXT))))
        .getMessage();
  }
}
