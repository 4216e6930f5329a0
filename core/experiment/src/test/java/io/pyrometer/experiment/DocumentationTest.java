package io.pyrometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentationTest {

  private static final Path PAGE = Path.of("../../docs/experiments.md");

  @Test
  void thePageNamesEveryBundledExperiment() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(Fixture.Bundled.BY_NAME.keySet())
        .contains("first-light", "harness")
        .allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
  }
}
