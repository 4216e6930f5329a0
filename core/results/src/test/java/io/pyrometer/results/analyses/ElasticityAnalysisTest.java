package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticityAnalysisTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: elasticity
      question: How deep is the dip?
      grid: {driver: rich, nodes: 3}
      workload:
        record: stock-order
        records: 1000
        path: put
        server-event: kill
        return-after: 12s
        measure: 20s
      blocks: 3
      analyses: [elasticity]
      """;

  /** Twenty samples of warm-up; the server is killed after 6 s and starts to return after 12 s. */
  private static final int MEASURED_FROM = 20;

  @TempDir Path runs;

  private RunAnalysis of(int stallTenths, Outcome outcome, double wrongKeys) {
    RunFolder folder = MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).write(runs, t -> 1_000);
    return new TimeAnalyses.Elasticity()
        .of(MadeUpRun.changed(folder, trial -> with(trial, stallTenths, outcome, wrongKeys)))
        .get(0);
  }

  private static TrialRecord with(
      TrialRecord trial, int stallTenths, Outcome outcome, double wrongKeys) {
    List<Long> samples = new ArrayList<>(Collections.nCopies(MEASURED_FROM + 200, 100L));
    for (int i = 0; i < stallTenths + trial.block(); i++) {
      samples.set(MEASURED_FROM + 60 + i, 0L);
    }
    Map<String, Metric> metrics = new TreeMap<>(trial.metrics());
    metrics.put("server-event.kill", Metric.neutral(6.0, "s"));
    metrics.put("server-event.return", Metric.neutral(12.0, "s"));
    metrics.put("server-event.joined", Metric.neutral(15.0, "s"));
    metrics.put(Metric.WRONG_KEYS, Metric.lowerIsBetter(wrongKeys, "keys"));
    return new TrialRecord(
        trial.schema(),
        trial.identity(),
        trial.started(),
        new Result(outcome, Optional.of("why"), Optional.empty()),
        new Timeline(trial.timeline().phases(), trial.timeline().warmUp(), samples, MEASURED_FROM),
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
  void theDipOfAKillIsToldWithItsIntervalAndTheReturnHasNone() {
    RunAnalysis analysis = of(20, Outcome.OK, 0);
    assertThat(FoundBy.ids(analysis))
        .containsExactly("elasticity.no-loss", "elasticity.dip", "elasticity.no-dip");
    Finding dip = analysis.findings().get(1);
    assertThat(FoundBy.value(dip, "event")).isEqualTo("kill");
    assertThat(FoundBy.value(dip, "depth")).startsWith("100");
    assertThat(rows(analysis)).hasSize(2);
    assertThat(rows(analysis).get(0).get(4)).as("2 to 2.6 s, with interval").matches("2\\..*\\[.*");
    assertThat(rows(analysis).get(1)).as("joined after").contains("3");
  }

  @Test
  void aServerThatIsNotReplacedInTimeLeavesTheDipOpen() {
    Finding open = FoundBy.only(of(60, Outcome.OK, 0).findings(), "elasticity.not-recovered");
    assertThat(FoundBy.value(open, "open")).isEqualTo("3");
  }

  @Test
  void lostKeysAreNamedBeforeTheDips() {
    assertThat(FoundBy.ids(of(0, Outcome.WRONG, 17)))
        .startsWith("elasticity.loss")
        .doesNotContain("elasticity.no-loss");
  }

  @Test
  void withoutEventsTheReportSaysWhatToSet() {
    RunRecord run =
        RunRecord.load(MadeUpRun.of(Fixture.read(FILE), Fixture.CATALOGUE).write(runs, t -> 1_000));
    assertThat(FoundBy.ids(new TimeAnalyses.Elasticity().of(run).get(0)))
        .containsExactly("elasticity.no-trial");
  }
}
