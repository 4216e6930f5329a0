package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
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
  private RunAnalysis of(boolean recorded) {
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
    return new TableAnalyses.FirstCall().of(run).get(0);
  }

  @Test
  void theFirstCallStandsBesideTheWarmOnesWithAnIntervalOverStarts() {
    Finding put = of(true).findings().get(0);
    assertThat(put.id()).isEqualTo("first-call.ratio");
    assertThat(FoundBy.value(put, "first")).startsWith("200 [");
    assertThat(FoundBy.value(put, "ratio")).startsWith("100× [");
  }

  @Test
  void aRunWithoutColdTrialsSaysWhatToSet() {
    assertThat(FoundBy.ids(of(false))).containsExactly("first-call.no-trial");
  }
}
