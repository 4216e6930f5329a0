package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.ExperimentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file of {@code broken} begins with the sentences that it should be answered with. */
class BrokenExperimentsTest {

  static final Path FOLDER = Path.of("src/test/resources/broken");
  private static final String EXPECTED = "#= ";

  @ParameterizedTest
  @MethodSource("files")
  void everyMistakeIsOneSentenceAtItsPlace(Path file) throws IOException {
    List<String> expected =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(EXPECTED))
            .map(line -> file + ":" + line.substring(EXPECTED.length()))
            .toList();
    assertThat(expected).isNotEmpty().allMatch(line -> line.matches(".+:\\d+:\\d+: .+; .+[.?]"));
    ExperimentException found =
        catchThrowableOfType(
            ExperimentException.class, () -> ExperimentReader.read(file, Fixture.CATALOGUE));
    assertThat(expected).containsExactly(found.getMessage());
  }

  static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(FOLDER)) {
      return found.sorted().toList().stream();
    }
  }
}
