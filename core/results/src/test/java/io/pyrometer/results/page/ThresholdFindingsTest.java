package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.JudgedMetrics;
import io.pyrometer.results.ranking.OperationLatency;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of two treatments with 1,000 and 3,000 records a second. */
class ThresholdFindingsTest {
  private static final Set<String> JUDGED =
      Set.of("threshold.kept", "threshold.missed", "threshold.open", "threshold.not-judged");

  @TempDir Path runs;

  private static MadeUpRun run(String threshold) {
    String text =
        MadeUpRun.file(
                "gated", "factors: {path: [put, put-all]}\nblocks: 3\nthresholds: [\"%s\"]\n")
            .formatted(threshold);
    return MadeUpRun.read(text);
  }

  private RunFolder written(String threshold) {
    return run(threshold).write(runs, trial -> trial.path().equals("put") ? 1_000 : 3_000);
  }

  private RunReport report(String threshold) {
    return RunReport.of(RunRecord.load(written(threshold)));
  }

  private static List<Finding> about(RunReport report) {
    return report.findings().stream().filter(f -> JUDGED.contains(f.id())).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "throughput > 0.5k, threshold.kept, false, ''",
    "throughput > 2k, threshold.missed, true, put",
    "p99(gte) < 5ms, threshold.not-judged, true, ''"
  })
  void aThresholdIsJudgedForEveryTreatment(
      String threshold, String id, boolean fails, String treatments) {
    RunReport report = report(threshold);
    assertThat(report.failure().isPresent()).isEqualTo(fails);
    Finding judged = about(report).get(0);
    assertThat(judged.id()).isEqualTo(id);
    assertThat(judged.severity()).isEqualTo(fails ? Severity.WARNING : Severity.INFO);
    if (!treatments.isEmpty()) {
      assertThat(judged.values()).containsEntry("treatments", Value.names(List.of(treatments)));
    }
  }

  /** Of 3 × 1,000 calls; a block's own p99 is 10 ms twice, and 1 ms once. */
  @Test
  void aPercentileIsJudgedByAllCallsTogetherAsTheTablesShowIt() throws Exception {
    RunFolder folder = written("p99(call) < 8ms");
    for (TrialRecord trial : folder.trials()) {
      Histogram calls = MadeUpRun.second("call", 0, 0);
      calls.recordValueWithCount(1_000_000, 980);
      calls.recordValueWithCount(trial.block() == 2 ? 1_000_000 : 10_000_000, 20);
      MadeUpRun.log(folder.histogram(trial.id(), 1), 0, List.of(calls));
    }
    RunReport report = RunReport.of(RunRecord.load(folder));
    OperationLatency calls = report.rankings().get(0).rows().get(0).latencies().get(0);
    double p99 = calls.of(LatencyStatistic.P99).orElseThrow().value();
    assertThat(p99).as("more than 1 % of all calls take 10 ms").isBetween(9_900.0, 10_100.0);
    assertThat(about(report).get(0).estimates().values()).allMatch(e -> e.value() == p99);
    assertThat(report.failure()).isPresent();
  }

  @Test
  void aTreatmentThatMissesAThresholdIsNotRecommendedWhereAnotherKeepsIt() {
    RunReport report =
        RunReport.of(
            run("cpu-per-record < 1k")
                .metrics(
                    (trial, metrics) ->
                        metrics.put(
                            Metric.CPU,
                            Metric.lowerIsBetter(trial.path().equals("put") ? 10 : 5_000, "µs")))
                .load(runs, trial -> trial.path().equals("put") ? 1_000 : 3_000));
    assertThat(report.answer().recommended().get(0).treatment()).isEqualTo("put");
  }

  @Test
  void aMetricThatNoTrialCanHaveIsRefusedBeforeTheRun() {
    assertThatThrownBy(() -> JudgedMetrics.requireThresholds(planned("p99(gte) < 5ms")))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("thresholds: No trial will have a metric 'latency.gte.p99'")
        .hasMessageContaining("put");
    assertThatThrownBy(() -> JudgedMetrics.requireThresholds(planned("throughputt > 5k")))
        .hasMessageContaining("'throughputt'");
    assertThatNoException()
        .isThrownBy(
            () -> {
              JudgedMetrics.requireThresholds(planned("p99(put) < 5ms"));
              JudgedMetrics.requireThresholds(planned("throughput > 5k"));
              JudgedMetrics.requireThresholds(planned("gc.pause.max < 5k"));
            });
  }

  private PlannedRun planned(String threshold) {
    return RunRecord.load(written(threshold)).plan();
  }
}
