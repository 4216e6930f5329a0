package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: expiry
      question: Which entries remain?
      grid: {driver: rich, nodes: 3}
      workload: {record: stock-order, records: 1000, path: mix, reads: 0.8, misses: 0.25, measure: 5s}
      factors:
        entries:
          - {label: kept, set: {backups: 1}}
          - {label: dropped, set: {backups: 0}}
      blocks: 3
      """;

  @TempDir Path runs;

  private RunAnalysis of(
      BiConsumer<TrialSpec, Map<String, Metric>> metrics, UnaryOperator<TrialRecord> change) {
    RunFolder folder =
        MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE)
            .metrics(metrics)
            .write(runs, trial -> 1_000);
    return new TableAnalyses.Expiry().of(MadeUpRun.changed(folder, change)).get(0);
  }

  /** A quarter of the 600 reads of 1,000 calls that may hit find nothing. */
  private static void dropping(TrialSpec trial, Map<String, Metric> metrics) {
    if (trial.levels().containsValue("dropped")) {
      metrics.put(Metric.RECORDS_LEFT, Metric.neutral(400, "records"));
      metrics.put(Metric.HEAP_MEMORY, Metric.lowerIsBetter(2 << 20, "bytes"));
      metrics.put(Metric.EVENTS + "reads-of-dropped", Metric.neutral(150, "per 1,000 calls"));
    }
    metrics.put(Metric.MEMORY, Metric.lowerIsBetter(1_234, "bytes"));
  }

  private static List<String> row(RunAnalysis analysis, String treatment) {
    return analysis.result().sections().get(0).figures().get(0).table().rows().stream()
        .filter(row -> row.get(0).contains(treatment))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void readsThatMissByThemselvesAreNoneOfADroppedRecord() {
    RunAnalysis analysis = of(ExpiryAnalysisTest::dropping, trial -> trial);
    assertThat(row(analysis, "dropped")).element(2).asString().startsWith("400");
    assertThat(row(analysis, "dropped")).element(4).asString().startsWith("75");
    assertThat(row(analysis, "kept")).element(2).asString().startsWith("1,000");
    assertThat(row(analysis, "kept")).element(4).asString().startsWith("100");
    assertThat(row(analysis, "kept")).element(6).asString().startsWith("1,230");
    assertThat(row(analysis, "dropped")).element(7).asString().startsWith("800");
    assertThat(row(analysis, "kept").get(7)).isEqualTo(Table.ABSENT);
    Finding finding = analysis.findings().get(0);
    assertThat(finding.id()).isEqualTo("metric.best");
    assertThat(FoundBy.value(finding, "figure")).startsWith("100");
  }

  @Test
  void aTreatmentThatReturnsAStaleRecordIsNamedBeforeWhatIsLeft() {
    RunAnalysis analysis =
        of(
            ExpiryAnalysisTest::dropping,
            trial ->
                trial.block() == 2 && trial.levels().containsValue("dropped")
                    ? MadeUpRun.wrong(trial, "3 of 1,000 keys stale")
                    : trial);
    assertThat(analysis.findings().get(0).id()).isEqualTo("expiry.wrong");
  }

  @Test
  void whereNothingMayBeDroppedTheReportSaysWhichSettingsDrop() {
    assertThat(FoundBy.ids(of((trial, metrics) -> {}, trial -> trial)))
        .containsExactly("expiry.no-treatment");
  }
}
