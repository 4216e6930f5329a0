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
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of two treatments with 1,000 and 3,000 records a second. */
class ThresholdFindingsTest {
  private static final Set<String> JUDGED =
      Set.of("threshold.kept", "threshold.missed", "threshold.open", "threshold.not-judged");

  @TempDir Path runs;

  private static MadeUpRun run(String threshold) {
    String text =
        MadeUpRun.file(
                "gated",
                "driver: rich",
                "record: stock-order, records: 1000",
                "factors: {path: [put, put-all]}\nblocks: 3\nthresholds: [\"%s\"]\n")
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

  private static String text(Finding finding, String value) {
    return finding.values().getOrDefault(value, Value.name("")).text();
  }

  @Test
  void aThresholdThatEveryTreatmentKeepsIsSaid() {
    RunReport report = report("throughput > 0.5k");
    assertThat(report.failure()).isEmpty();
    assertThat(about(report)).extracting(Finding::id).containsExactly("threshold.kept");
  }

  @Test
  void aTreatmentThatMissesAThresholdIsNamedWithItsFigure() {
    RunReport report = report("throughput > 2k");
    assertThat(report.failure()).isPresent();
    Finding missed = about(report).get(0);
    assertThat(missed.id()).isEqualTo("threshold.missed");
    assertThat(text(missed, "treatments")).isEqualTo("put");
    assertThat(missed.estimates()).containsOnlyKeys("put", "put-all");
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
    double p99 =
        report
            .rankings()
            .get(0)
            .rows()
            .get(0)
            .latencies()
            .get(0)
            .of(LatencyStatistic.P99)
            .orElseThrow()
            .value();
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
  void aThresholdOnWhatNothingMeasuredIsNotKept() {
    RunReport report = report("p99(gte) < 5ms");
    assertThat(report.failure()).isPresent();
    assertThat(about(report).get(0))
        .matches(f -> f.severity() == Severity.WARNING)
        .matches(f -> f.id().equals("threshold.not-judged"));
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
