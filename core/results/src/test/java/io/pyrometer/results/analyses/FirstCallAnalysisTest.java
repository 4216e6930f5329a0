package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstCallAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: first
      question: How slow is the first one?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all]}
      blocks: 3
      analyses: [first-call]
      """;

  @TempDir Path runs;

  /** The first call of put takes 199, 200 and 201 ms in the blocks, a warm one 2 ms. */
  private List<String> sentences(boolean recorded) {
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE)
                .metrics(
                    (trial, metrics) -> {
                      boolean put = trial.path().equals("put");
                      metrics.put(
                          Metric.latency("call", LatencyStatistic.MEAN),
                          Metric.lowerIsBetter(put ? 2_000 : 50_000, "µs"));
                      if (recorded) {
                        metrics.put(
                            Metric.FIRST_CALL,
                            Metric.neutral((put ? 199 : 499) + trial.block(), "ms"));
                      }
                    })
                .write(runs, trial -> 1_000));
    return new FirstCallAnalysis()
        .of(run).get(0).findings().stream().map(finding -> finding.sentence()).toList();
  }

  @Test
  void theFirstCallStandsBesideTheWarmOnesWithAnIntervalOverStarts() {
    assertThat(sentences(true))
        .anyMatch(
            s ->
                s.startsWith("put: the first call of fresh processes takes 200 [")
                    && s.contains(" ms, a warm one 2")
                    && s.contains(" ms: 100 ["))
        .anyMatch(s -> s.startsWith("put-all: the first call of fresh processes takes 500 ["));
  }

  @Test
  void aRunWithoutColdTrialsSaysWhatToSet() {
    assertThat(sentences(false)).singleElement().asString().contains("common-warm-up: 0s");
  }
}
