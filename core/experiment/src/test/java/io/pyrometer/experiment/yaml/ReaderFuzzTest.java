package io.pyrometer.experiment.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ReaderFuzzTest {

  private static final String NOISE = " \n\t:-{}[],'\"#&*!|>%@`~?0aé\u0007\uD83D";

  @Property(tries = 500)
  void whateverAFileHoldsTheAnswerIsAnExperimentOrSentences(@ForAll long seed) {
    Random random = new Random(seed);
    List<String> bundled = List.copyOf(Fixture.Bundled.BY_NAME.values());
    StringBuilder text =
        new StringBuilder(
            bundled.get(random.nextInt(bundled.size())).replace("driver: ignite", "driver: rich"));
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
