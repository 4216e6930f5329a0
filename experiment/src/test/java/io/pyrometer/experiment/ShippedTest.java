package io.pyrometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShippedTest {
  @Test
  void everyExperimentThatIsThereIsNamed() throws Exception {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/experiments"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(Shipped.experiments());
    }
  }
}
