package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: cost
      question: Which path costs the least CPU time?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all]}
      blocks: %d
      analyses: [cost, ranking]
      """;

  @TempDir Path runs;

  private RunAnalysis of(int blocks) {
    MadeUpRun run =
        MadeUpRun.of(Fixture.read(FILE.formatted(blocks)), Fixture.CATALOGUE)
            .noise(0.01)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        Metric.CPU,
                        Metric.lowerIsBetter(
                            (trial.levels().containsValue("put") ? 40 : 10)
                                * (1 + 0.01 * (trial.block() % 2)),
                            "µs")));
    return new CostAnalysis().of(RunRecord.load(run.write(runs, trial -> 1_000))).get(0);
  }

  @Test
  void aCostThatDiffersHasItsIntervalAndVerdict() {
    Finding finding = of(5).findings().get(0);
    assertThat(finding.id()).isEqualTo("metric.best");
    assertThat(FoundBy.value(finding, "best")).isEqualTo("put-all");
    assertThat(FoundBy.value(finding, "worse")).isEqualTo("1");
    assertThat(of(5).result().sections().get(0).figures().get(1).table().rows())
        .singleElement()
        .satisfies(
            row -> assertThat(row).startsWith("CPU time per record", "put").endsWith("worse"));
  }

  @Test
  void oneBlockGivesNoVerdict() {
    assertThat(FoundBy.ids(of(1))).containsExactly("metric.too-few-blocks");
  }
}
