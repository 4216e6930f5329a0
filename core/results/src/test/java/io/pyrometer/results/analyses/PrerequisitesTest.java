package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each file of {@code prerequisites} begins with the sentence that refuses it. */
class PrerequisitesTest {
  private static final String EXPECTED = "#= ";

  @ParameterizedTest
  @MethodSource("files")
  void anAnalysisWithoutItsPrerequisiteIsRefusedAtItsPlace(Path file) throws IOException {
    List<String> expected =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(EXPECTED))
            .map(line -> file + ":" + line.substring(EXPECTED.length()))
            .toList();
    ExperimentException found =
        catchThrowableOfType(
            ExperimentException.class, () -> ExperimentReader.read(file, Fixture.CATALOGUE));
    assertThat(expected).containsExactly(found.getMessage());
  }

  @Test
  void everyAnalysisIsFoundOnceAndIsOneOfResults() {
    assertThat(AnalysisDeclaration.ids()).doesNotHaveDuplicates().contains("ranking", "pauses");
    assertThat(AnalysisDeclaration.all()).allMatch(Analysis.class::isInstance);
  }

  @Test
  void aRunWithoutTheMetricsOfAnAnalysisHasTheFindingThatSaysSo(@TempDir Path runs) {
    String tail = "factors: {path: [put]}\nblocks: 1\n";
    RunRecord run = MadeUpRun.of(Fixture.withTail(tail), Fixture.CATALOGUE).load(runs, trial -> 0);
    String ids =
        "compilation continuous-queries demands diagnoses elasticity first-call limits load pauses"
            + " queries stages transactions trend";
    for (String id : ids.split(" ")) {
      assertThat(FoundBy.ids(MadeUpRun.analysis(id).of(run).get(0)))
          .containsExactly(id + ".no-trial");
    }
  }

  static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("src/test/resources/prerequisites"))) {
      return found.sorted().toList().stream();
    }
  }
}
