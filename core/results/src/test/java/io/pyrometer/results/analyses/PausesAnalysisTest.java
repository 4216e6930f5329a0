package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PausesAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: pauses
      question: Which batch gives the shortest pauses?
      grid: {driver: rich, nodes: 2}
      workload: {record: stock-order, records: 1000, path: put}
      telemetry: gc
      factors:
        threads: [1, 2]
      blocks: 2
      analyses: [pauses, ranking]
      """;

  @TempDir Path runs;

  private static MadeUpRun made() {
    return MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).noise(0);
  }

  private RunAnalysis of(MadeUpRun run) {
    return new TableAnalyses.Pauses().of(RunRecord.load(run.write(runs, trial -> 1000))).get(0);
  }

  private static Table only(RunAnalysis analysis) {
    List<Figure> figures = analysis.result().sections().get(0).figures();
    return figures.get(0).table();
  }

  @Test
  void theLongestPauseOfAnyBlockStandsBesideP99AndStopsAreSharesOfAProcess() {
    RunAnalysis analysis =
        of(
            made()
                .metrics(
                    (trial, metrics) -> {
                      double threads = trial.settings().integer("threads");
                      metrics.put("gc.pauses.nodes", Metric.lowerIsBetter(5, "pauses"));
                      metrics.put(
                          "gc.pause-max.nodes",
                          Metric.lowerIsBetter(10 * threads + trial.block(), "ms"));
                      metrics.put("gc.stopped.nodes", Metric.lowerIsBetter(100, "ms"));
                      metrics.put("gc.stopped.node-0", Metric.lowerIsBetter(50, "ms"));
                      metrics.put("gc.stopped.node-1", Metric.lowerIsBetter(50, "ms"));
                    }));
    assertThat(only(analysis).header())
        .containsExactly(
            "treatment",
            "p99 call [ms]",
            "longest pause [ms]",
            "pauses/s",
            "stopped [%]",
            "MiB/s allocated",
            "live [MiB]");
    // Trials of 2.5 s: 2 × 5 pauses in 5 s; 50 ms a process and trial are 2 %.
    assertThat(only(analysis).rows())
        .extracting(row -> row.get(2), row -> row.get(3), row -> row.get(4), row -> row.get(6))
        .containsExactlyInAnyOrder(
            org.assertj.core.api.Assertions.tuple("11", "2", "2", Table.ABSENT),
            org.assertj.core.api.Assertions.tuple("21", "2", "2", Table.ABSENT));
    assertThat(only(analysis).rows()).allMatch(row -> row.get(1).startsWith("4"));
    assertThat(FoundBy.ids(analysis)).containsExactly("metric.alike");
  }

  @Test
  void withoutLogsTheReportSaysWhyThereIsNothing() {
    assertThat(FoundBy.ids(of(made()))).containsExactly("pauses.no-trial");
  }

  @Test
  void p99IsTheFigureOfTheRankingAndAbsentWhereThatHasNone() {
    MadeUpRun run =
        made().metrics((t, metrics) -> metrics.put("gc.pauses.agents", Metric.neutral(1, "")));
    RunRecord record = RunRecord.load(run.write(runs, trial -> 1000));
    for (Ranking.Row ranked : Rankings.of(record).get(0).rows()) {
      String p99 =
          Numbers.estimate(
              ranked.latencies().get(0).of(LatencyStatistic.P99).orElseThrow().times(1e-3, "ms"));
      assertThat(only(new TableAnalyses.Pauses().of(record).get(0)).rows())
          .filteredOn(row -> row.get(0).equals(ranked.label()))
          .singleElement()
          .satisfies(row -> assertThat(row.get(1)).isEqualTo(p99));
    }
    RunAnalysis few =
        of(
            made()
                .withoutP99()
                .metrics((t, metrics) -> metrics.put("gc.pauses.agents", Metric.neutral(1, ""))));
    assertThat(only(few).rows()).isNotEmpty().allMatch(row -> row.get(1).equals(Table.ABSENT));
  }
}
