package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueriesAnalysisTest {
  private static final Catalogue TABLES =
      Catalogue.of(
          List.of(
              new DriverDescription(
                  "tables",
                  "Tables",
                  "1.0",
                  "Queries.",
                  List.of(),
                  ServerDescription.NO_PORTS,
                  List.of(),
                  List.of(),
                  List.of(
                      new PathDescription(
                          "select",
                          Job.QUERY,
                          true,
                          "Queries.",
                          Optional.empty(),
                          List.of(
                              SettingKey.choice("engine", Scope.LOAD, "old", "new")
                                  .meaning("Engine.")
                                  .description()))))));

  private static final String FILE =
      """
      pyrometer: 1
      name: tables
      question: Which engine?
      grid: {driver: tables}
      workload: {record: stock-order, path: select}
      factors: {engine: [old, new]}
      blocks: 3
      analyses: [queries]
      """;

  @TempDir Path runs;

  private MadeUpRun made() {
    return MadeUpRun.of(ExperimentReader.read(FILE, "tables.yaml", Path.of(""), TABLES), TABLES);
  }

  /**
   * The new engine joins in a tenth of the time; both find points within the noise of each other.
   */
  private RunAnalysis of(UnaryOperator<TrialRecord> change) {
    RunFolder folder =
        made()
            .metrics(
                (trial, metrics) -> {
                  boolean fresh = trial.levels().containsValue("new");
                  double wobble = 1 + 0.1 * (trial.block() - 1);
                  p50(metrics, "join", (fresh ? 5_000 : 50_000) * wobble);
                  p50(metrics, "point", (fresh ? 310 : 300) * wobble);
                })
            .write(runs, trial -> 1_000);
    return new TableAnalyses.Queries().of(MadeUpRun.changed(folder, change)).get(0);
  }

  private static void p50(java.util.Map<String, Metric> metrics, String query, double micros) {
    metrics.put(Metric.latency(query, LatencyStatistic.P50), Metric.lowerIsBetter(micros, "µs"));
  }

  @Test
  void theEngineThatAnswersSoonestIsNamedForEachQueryThatTellsThemApart() {
    RunAnalysis analysis = of(trial -> trial);
    assertThat(FoundBy.ids(analysis)).contains("metric.best", "metric.alike");
    Finding join = FoundBy.only(analysis.findings(), "metric.best");
    assertThat(FoundBy.value(join, "metric")).contains("'join'");
    assertThat(FoundBy.value(join, "best")).contains("new");
    assertThat(analysis.result().sections().get(0).figures().get(0).table().rows())
        .hasSize(2)
        .allMatch(row -> row.size() == 5 && row.get(3).contains("["));
  }

  @Test
  void aTreatmentWithOtherRowsIsNamedFirstAndItsTrialHasNoFigures() {
    RunAnalysis analysis =
        of(
            trial ->
                trial.levels().containsValue("new")
                    ? MadeUpRun.wrong(trial, "other rows of the query 'join'")
                    : trial);
    assertThat(FoundBy.ids(analysis)).startsWith("queries.wrong").doesNotContain("metric.best");
  }

  @Test
  void withoutQueriesTheReportSaysWhatToTake() {
    String writes =
        """
        pyrometer: 1
        name: writes
        question: How fast?
        grid: {driver: rich}
        workload: {record: stock-order, path: put}
        factors: {backups: [0, 1]}
        """;
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(Fixture.read(writes), Fixture.CATALOGUE).write(runs, t -> 1_000));
    assertThat(FoundBy.ids(new TableAnalyses.Queries().of(run).get(0)))
        .containsExactly("queries.no-trial");
  }
}
