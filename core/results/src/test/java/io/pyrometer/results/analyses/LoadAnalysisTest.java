package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: load
      question: Which path loads the records soonest?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, keys: %s}
      factors: {path: [put, put-all]}
      blocks: 5
      probes: [order]
      analyses: [load]
      """;

  private static final double KIB = 1024;

  @TempDir Path runs;

  private RunRecord run(String keys) {
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(FILE.formatted(keys)), Fixture.CATALOGUE)
            .metrics(
                (trial, metrics) -> {
                  boolean put = trial.levels().containsValue("put");
                  metrics.put(
                      Metric.LOADED,
                      Metric.lowerIsBetter(
                          (put ? 90 : 30) * (1 + 0.01 * (trial.block() % 2)), "s"));
                  // 1,000 records: 200 MiB off-heap, and 2 or 16 MiB of heap.
                  metrics.put(Metric.MEMORY, Metric.lowerIsBetter(200 * KIB * 1.024, "B"));
                  metrics.put(
                      Metric.HEAP_MEMORY, Metric.lowerIsBetter((put ? 2 : 16) * KIB * 1.024, "B"));
                });
    return RunRecord.load(run.write(runs, trial -> 1_000));
  }

  @Test
  void theTimeToLoadIsComparedAndTabulated() {
    RunRecord run = run("once");
    assertThat(new TableAnalyses.Load().always(run)).isTrue();
    RunAnalysis analysis = new TableAnalyses.Load().of(run).get(0);
    Finding time = FoundBy.only(analysis.findings(), "metric.best");
    assertThat(FoundBy.value(time, "best")).isEqualTo("put-all");
    assertThat(FoundBy.value(time, "figure")).startsWith("30").endsWith(" s");
    assertThat(analysis.result().sections().get(0).figures().get(0).table().header())
        .contains("records", "time [s]", "off-heap [B/record, all copies]");
  }

  @Test
  void theMemoryOfAllServersAtTheEndIsStatedWithItsUnit() {
    RunAnalysis analysis = new TableAnalyses.Load().of(run("once")).get(0);
    Finding memory = FoundBy.only(analysis.findings(), "load.memory");
    assertThat(FoundBy.value(memory, "off-heap")).isEqualTo("210 MB");
    assertThat(FoundBy.value(memory, "on-heap")).isEqualTo("16.8 MB");
    assertThat(analysis.result().sections().get(0).figures().get(0).table().header())
        .contains("off-heap, all servers [MiB]", "on-heap, all servers [MiB]");
  }

  @Test
  void whatAProbeRefutedIsNotTheFastestAndIsNamedWithoutARanking() {
    RunRecord unprobed = run("once");
    RunRecord run =
        new RunRecord(
            unprobed.folder(),
            unprobed.plan(),
            unprobed.environment(),
            unprobed.finished(),
            List.of(Trials.probe(ProbeKind.ORDER, "put-all", 4)));
    assertThat(new TableAnalyses.Load().of(run).get(0).findings())
        .noneMatch(finding -> finding.sentence().contains("with put-all"));
    List<Finding> findings = RunReport.of(run).findings();
    assertThat(findings.get(1).severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(findings.get(1).id()).isEqualTo("guarantee.refuted-by-order");
  }

  @Test
  void otherRunsHaveNone() {
    RunRecord run = run("sequential");
    assertThat(new TableAnalyses.Load().always(run)).isFalse();
    assertThat(FoundBy.ids(new TableAnalyses.Load().of(run).get(0)))
        .containsExactly("load.no-trial");
  }
}
