package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ReaderFuzzTest {

  private static final String NOISE = " \n\t:-{}[],'\"#&*!|>%@`~?0aé\u0007\uD83D";

  private static final String VALID =
      """
      pyrometer: 1
      name: fuzz
      question: Does it hold?
      grid: {driver: rich, nodes: 2}
      workload:
        record: {name: Quote, fields: [{name: a, type: long, min: 1, max: 9}]}
        records: 1000
      factors:
        path: [put, {label: b, set: {path: put-all, batch: 100}}]
        threads: [1, 2]
        agents: [1, 2]
      design: {fraction: [C=AB]}
      blocks: 2
      analyses: [ranking]
      """;

  @Property(tries = 500)
  void whateverAFileHoldsTheAnswerIsAnExperimentOrSentences(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(random.nextBoolean() ? VALID : bundled(random));
    for (int edits = 1 + random.nextInt(6); edits > 0; edits--) {
      mangle(text, random);
    }
    try {
      Experiment experiment =
          ExperimentReader.read(text.toString(), "f.yaml", Path.of(""), Fixture.CATALOGUE);
      assertThat(Fixture.plan(experiment).trials()).isNotEmpty();
    } catch (ExperimentException e) {
      assertThat(e.sentence()).isNotBlank();
      assertThat(e.getMessage().lines())
          .allMatch(line -> line.matches("(?s)f\\.yaml:\\d+:\\d+: .*"));
    }
  }

  @Test
  void halfOfTheFilesAreValidBeforeTheyAreMangled() {
    assertThat(Fixture.plan(Fixture.read(VALID)).trials()).isNotEmpty();
  }

  private static String bundled(Random random) {
    List<String> bundled = List.copyOf(new TreeMap<>(Fixture.Bundled.BY_NAME).values());
    return bundled.get(random.nextInt(bundled.size())).replace("driver: ignite", "driver: rich");
  }

  private static void mangle(StringBuilder text, Random random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + 1 + random.nextInt(12));
    switch (random.nextInt(4)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, NOISE.charAt(random.nextInt(NOISE.length())));
      case 2 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
      default -> text.delete(at, end).append(' ');
    }
  }
}
