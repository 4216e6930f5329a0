package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathChoiceTest {
  private static final String TWO_WAYS =
      """
      pyrometer: 1
      name: ways
      question: Which way is the fastest, and where?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors:
        path: [put, put-all]
        backups: [0, 1, 2]
      blocks: 2
      """;

  @TempDir Path runs;

  private List<String> sentences(String experiment, ToDoubleFunction<TrialSpec> throughput) {
    MadeUpRun run = MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE);
    return RunReport.write(run.write(runs, throughput)).findings().stream()
        .map(Finding::sentence)
        .toList();
  }

  private static double rate(TrialSpec trial, boolean slowWithTwo) {
    boolean batched = trial.path().equals("put-all");
    boolean slow = slowWithTwo && trial.settings().number("backups") == 2;
    return batched && !slow ? 9_000 : batched ? 100 : 1_000;
  }

  @Test
  void oneWayMayBeTheFastestEverywhere() {
    assertThat(sentences(TWO_WAYS, trial -> rate(trial, false)))
        .contains("put-all was the fastest under all 3 conditions.");
  }

  @Test
  void whereAnotherIsFasterIsNamed() {
    assertThat(sentences(TWO_WAYS, trial -> rate(trial, true)))
        .contains("put-all was the fastest under 2 of 3 conditions; put at backups 2.");
  }

  @Test
  void oneConditionIsNone() {
    String one = TWO_WAYS.replace("  backups: [0, 1, 2]\n", "");
    assertThat(sentences(one, trial -> rate(trial, false)))
        .noneMatch(sentence -> sentence.contains("conditions"));
  }
}
