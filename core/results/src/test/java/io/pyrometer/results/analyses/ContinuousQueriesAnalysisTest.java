package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContinuousQueriesAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: events
      question: How soon do events come?
      grid: {driver: rich, nodes: 3}
      workload: {record: stock-order, records: 1000, path: put-async, measure: 5s}
      factors: {in-flight: [1, 2]}
      blocks: 3
      """;

  @TempDir Path runs;

  /** Writes with four listeners; in the last block of the second treatment events are harmed. */
  private RunAnalysis of(double lost, double doubled) {
    RunFolder folder = MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).write(runs, t -> 1_000);
    return new TableAnalyses.ContinuousQueries()
        .of(
            MadeUpRun.changed(
                folder,
                trial -> {
                  boolean harmed = trial.block() == 2 && trial.levels().containsValue("2");
                  return with(trial, harmed ? lost : 0, harmed ? doubled : 0);
                }))
        .get(0);
  }

  private static TrialRecord with(TrialRecord trial, double lost, double doubled) {
    Map<String, Metric> metrics = new TreeMap<>(trial.metrics());
    metrics.put(Metric.EVENTS + "events-lost", Metric.lowerIsBetter(lost, "per 1,000 calls"));
    metrics.put(Metric.EVENTS + "events-doubled", Metric.lowerIsBetter(doubled, "per 1,000 calls"));
    TrialRecord.Identity own = trial.identity();
    return new TrialRecord(
        trial.schema(),
        new TrialRecord.Identity(
            own.id(),
            own.ordinal(),
            own.block(),
            own.attempt(),
            own.levels(),
            own.job(),
            own.settings().with("listeners", 4),
            Optional.empty(),
            ""),
        trial.started(),
        trial.result(),
        trial.timeline(),
        trial.counts(),
        metrics,
        trial.artefacts(),
        trial.validity(),
        trial.configuration());
  }

  private static List<List<String>> rows(RunAnalysis analysis) {
    return analysis.result().sections().get(0).figures().get(0).table().rows();
  }

  @Test
  void everyListenersEventsCount() {
    RunAnalysis analysis = of(0, 0);
    assertThat(rows(analysis)).hasSize(2);
    assertThat(rows(analysis).get(0).get(1)).startsWith("4,0");
    assertThat(analysis.findings().get(0).id()).isEqualTo("continuous-queries.complete");
    assertThat(FoundBy.value(analysis.findings().get(0), "trials")).isEqualTo("6");
  }

  @Test
  void oneLostEventInOneTrialIsNamedAndItsTreatmentNotRecommended() {
    RunAnalysis analysis = of(0.5, 0);
    Finding first = analysis.findings().get(0);
    assertThat(first.id()).isEqualTo("continuous-queries.incomplete");
    assertThat(FoundBy.value(first, "treatments")).isEqualTo("in-flight 2");
    assertThat(analysis.findings()).as("its delay is not compared").hasSize(1);
  }

  @Test
  void delaysThatDoNotDifferHaveAVerdictAndNoWinner() {
    assertThat(FoundBy.ids(of(0, 0)))
        .containsExactly("continuous-queries.complete", "metric.alike");
  }

  @Test
  void aDuplicateEventIsNamedToo() {
    assertThat(FoundBy.ids(of(0, 0.25))).containsExactly("continuous-queries.incomplete");
  }

  @Test
  void withoutListenersTheReportSaysWhatToTake() {
    RunRecord run =
        RunRecord.load(MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).write(runs, t -> 1_000));
    assertThat(FoundBy.ids(new TableAnalyses.ContinuousQueries().of(run).get(0)))
        .containsExactly("continuous-queries.no-trial");
  }
}
