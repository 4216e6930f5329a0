package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.page.RunSummary;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recommendation of a run, and the reasons for none. */
class RecommendationTest {
  private static final String WRITES =
      MadeUpRun.file(
          "writes",
          "factors: {path: [put, put-all, put-async]}\nblocks: 5\nprobes: [order, read]\n");

  @TempDir Path runs;

  private static MadeUpRun made() {
    return MadeUpRun.read(WRITES);
  }

  /** put-async is the fastest, then put-all. */
  private static double speed(TrialSpec trial) {
    return switch (trial.path()) {
      case "put-async" -> 100_000;
      case "put-all" -> 10_000;
      default -> 1_000;
    };
  }

  private RunReport report(MadeUpRun made, ProbeResult... probes) {
    RunRecord run = made.load(runs, RecommendationTest::speed);
    return RunReport.of(MadeUpRun.of(run, run.finished(), probes));
  }

  private static ProbeResult found(ProbeKind kind, String path, long checked, long stale) {
    return new ProbeResult(
        kind,
        ProbeResult.SCHEMA,
        Map.of("path", path),
        path,
        "2026-11-21T00:00:00Z",
        Optional.empty(),
        Optional.of(new ProbeCounts(1_649, checked, stale, 0, 0, List.of(), 0.1, false)));
  }

  private static List<String> ids(RunReport report) {
    return report.findings().stream().map(Finding::id).toList();
  }

  private static Map<String, Value> values(RunReport report, String id) {
    return report.findings().stream()
        .filter(finding -> finding.id().equals(id))
        .findFirst()
        .orElseThrow()
        .values();
  }

  private static Answer.Recommended recommended(RunReport report) {
    return report.answer().recommended().get(0);
  }

  private static String treatment(RunReport report) {
    return recommended(report).treatment();
  }

  @Test
  void withoutARefutingProbeTheFastestIsRecommended() {
    RunReport report = report(made(), Trials.probe(ProbeKind.ORDER, "put-async", 0));
    assertThat(treatment(report)).isEqualTo("put-async");
    assertThat(report.findings().get(0).id()).isEqualTo("answer.throughput");
    assertThat(recommended(report).ratio().orElseThrow().contains(100)).isTrue();
    assertThat(recommended(report).baseline()).isEqualTo("put");
    assertThat(recommended(report).probed())
        .containsExactly(new Answer.Probed(ProbeKind.ORDER, 0, 2_000));
  }

  /** Neither path is known to be faster, and put-async needs twice the CPU time. */
  private Recommendation alike(int blocks, double putAll, double putAsync, double noise) {
    Experiment experiment = Fixture.read(WRITES.replace("blocks: 5", "blocks: " + blocks));
    RunRecord run =
        MadeUpRun.of(experiment, Fixture.CATALOGUE)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        Metric.CPU,
                        Metric.lowerIsBetter(trial.path().equals("put-all") ? 10 : 20, "µs")))
            .load(
                runs,
                trial ->
                    switch (trial.path()) {
                      case "put-async" -> putAsync * (1 + noise * (trial.block() % 3));
                      case "put-all" -> putAll * (1 + noise * (2 - trial.block() % 3));
                      default -> 1_000;
                    });
    return Recommendation.of(run, Rankings.of(run).get(0));
  }

  private static String path(Optional<Ranking.Row> row) {
    return row.map(Ranking.Row::path).orElse("none");
  }

  @Test
  void theHighestEstimateIsRecommendedAndWhatIsNotShownToDifferIsNamed() {
    for (int blocks : new int[] {1, 3, 5}) {
      Recommendation open = alike(blocks, 100_000, blocks == 1 ? 150_000 : 120_000, 0.2);
      assertThat(path(open.best())).isEqualTo("put-async");
      assertThat(path(open.second())).isEqualTo("put-all");
      assertThat(open.confidence()).isEqualTo(Answer.Confidence.LOW);
      assertThat(open.cheaper()).as("a loss is not excluded").isEmpty();
    }
    Recommendation open = alike(5, 100_000, 120_000, 0.2);
    assertThat(open.alike())
        .singleElement()
        .matches(other -> other.treatment().equals("put-all"))
        .matches(other -> other.ratio().orElseThrow().contains(1));
    assertThat(open.doubts()).extracting(Finding::id).containsExactly("confidence.close");
  }

  @Test
  void lessCpuTimeIsNamedOnlyWhereALossOfATenthIsExcluded() {
    Recommendation close = alike(5, 100_000, 103_000, 0);
    assertThat(path(close.best())).isEqualTo("put-async");
    assertThat(path(close.cheaper())).isEqualTo("put-all");
    Recommendation far = alike(5, 100_000, 130_000, 0);
    assertThat(far.cheaper()).isEmpty();
    assertThat(far.confidence()).isEqualTo(Answer.Confidence.HIGH);
    assertThat(alike(3, 100_000, 130_000, 0).confidence()).isEqualTo(Answer.Confidence.MEDIUM);
  }

  @Test
  void ofOneBlockOnlyCloseTreatmentsAreCalledAlike() {
    assertThat(alike(1, 100_000, 110_000, 0).alike()).hasSize(1);
    assertThat(alike(1, 100_000, 150_000, 0).alike()).isEmpty();
    assertThat(alike(1, 100_000, 150_000, 0).doubts())
        .extracting(Finding::id)
        .containsExactly("confidence.one-block");
  }

  @Test
  void whatAProbeOfReadsRefutedIsNotRecommendedAndListedWithItsCounts() {
    RunReport report = report(made(), found(ProbeKind.READ, "put-async", 1_649, 46));
    assertThat(treatment(report)).isEqualTo("put-all");
    assertThat(values(report, "guarantee.refuted-by-read"))
        .containsEntry("treatment", Value.name("put-async"))
        .containsEntry("lost", Value.count(46))
        .containsEntry("checked", Value.count(1_649));
    assertThat(report.rankings().get(0).rows().get(0).marks())
        .containsExactly(Mark.of(Mark.Kind.REFUTED, ""));
  }

  @Test
  void aBaselineThatAProbeRefutedLowersNoDemand() {
    RunReport report = report(made(), Trials.probe(ProbeKind.ORDER, "put", 3));
    Ranking ranking = report.rankings().get(0);
    assertThat(ranking.rows().stream().filter(Ranking.Row::isBaseline))
        .extracting(Ranking.Row::path)
        .containsExactly("put");
    assertThat(treatment(report)).isEqualTo("put-async");
  }

  @Test
  void whereProbesRefutedEveryTreatmentThereIsNoAnswer() {
    RunReport report =
        report(
            made(),
            Trials.probe(ProbeKind.ORDER, "put", 1),
            Trials.probe(ProbeKind.ORDER, "put-all", 1),
            Trials.probe(ProbeKind.ORDER, "put-async", 1));
    assertThat(report.findings().get(0).id()).isEqualTo("no-answer.refuted");
    assertThat(report.answer().recommended()).isEmpty();
    assertThat(report.answer().choices().get(0).none()).isPresent();
    assertThat(report.answer().next()).isEmpty();
    assertThat(ids(report)).filteredOn("guarantee.refuted-by-order"::equals).hasSize(3);
  }

  @Test
  void ofAFewKeysNoStaleOneIsNotTestedAndOneIsConclusive() {
    RunReport report =
        report(
            made(),
            found(ProbeKind.ORDER, "put-async", 54, 0),
            found(ProbeKind.ORDER, "put-all", ProbeCounts.MIN_CHECKED, 0));
    assertThat(treatment(report)).isEqualTo("put-async");
    assertThat(recommended(report).probed()).noneMatch(Answer.Probed::isTested);
    Ranking ranking = report.rankings().get(0);
    assertThat(Markdown.table(RankingTable.of(ranking).table()))
        .contains("not tested (0 of 54)", "| 0 of 300 |", "| not tested |");
    assertThat(treatment(report(made(), found(ProbeKind.ORDER, "put-async", 54, 1))))
        .isEqualTo("put-all");
  }

  private Answer.Next next(MadeUpRun made, double put) {
    RunReport report =
        RunReport.of(made.load(runs, trial -> trial.path().equals("put") ? put : 1_000));
    assertThat(report.findings()).last().extracting(Finding::id).isEqualTo("next.run");
    return report.answer().next().orElseThrow();
  }

  @Test
  void theNextRunHasTheBlocksThatTellTheFirstTwoApart() {
    Answer.Next next = next(made().noise(0.1).seed(4), 10);
    assertThat(next.command()).matches("\\./pyrometer run writes\\.yaml --blocks \\d+");
    assertThat(next.seconds()).isPresent();
  }

  @Test
  void wherePrecisionIsFarTheNextRunHasTwiceTheBlocks() {
    assertThat(next(made().noise(0.6).seed(4), 1_000).command()).endsWith(" --blocks 10");
  }

  @Test
  void treatmentsThatAreKnownToBeEqualAreAnAnswer() {
    RunReport report = RunReport.of(made().noise(0.002).load(runs, trial -> 1_000));
    assertThat(recommended(report).alike()).isNotEmpty();
    assertThat(report.answer().confidence()).contains(Answer.Confidence.HIGH);
    assertThat(report.answer().next()).as("nothing is open").isEmpty();
  }

  @Test
  void mostlyDisturbedTrialsAreNoAnswerWhateverTheyMeasured() {
    RunReport report =
        report(made().validity(trial -> trial.block() < 3 ? List.of(Trials.steal()) : List.of()));
    assertThat(report.findings().get(0).id()).isEqualTo("no-answer.disturbed");
    assertThat(RunSummary.of(report, 100))
        .anyMatch(line -> line.startsWith("  next  ") && line.contains("./pyrometer run"));
    assertThat(values(report, "no-answer.disturbed"))
        .containsEntry("disturbed", Value.count(9))
        .containsEntry("trials", Value.count(15));
    assertThat(report.answer().choices()).isEmpty();
    RunReport fewer =
        report(made().validity(trial -> trial.block() < 2 ? List.of(Trials.steal()) : List.of()));
    assertThat(treatment(fewer)).isEqualTo("put-async");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ranking", "factors"})
  void theNoiseOfSpeedDoesNotTouchWhatProbesFoundWhateverTheAnalysis(String analysis) {
    RunReport report =
        report(
            MadeUpRun.read(WRITES + "analyses: [%s]\n".formatted(analysis))
                .validity(trial -> List.of(Trials.steal())),
            found(ProbeKind.KILL, "put", 7_144, 0),
            found(ProbeKind.KILL, "put-async", 7_144, 1));
    assertThat(ids(report))
        .startsWith("guarantee.refuted-by-kill")
        .containsSubsequence("guarantee.outlived-a-server", "no-answer.disturbed");
  }

  private static final String COPIES =
      MadeUpRun.file(
          "copies",
          "driver: rich, nodes: 3",
          "record: stock-order, records: 1000, path: put",
          "factors: {backups: [0, 1, 2]}\nblocks: 5\n");

  private RunReport copies(String require, ProbeResult... probes) {
    RunRecord run =
        MadeUpRun.read(COPIES + require)
            .load(runs, trial -> 9_000 - 1_000 * trial.settings().number("backups"));
    return RunReport.of(MadeUpRun.of(run, run.finished(), probes));
  }

  @Test
  void whatLacksARequiredGuaranteeByDeclarationOrProbeIsExcluded() {
    RunReport report = copies("require: {survives: one-server}");
    assertThat(treatment(report)).isEqualTo("backups 1");
    assertThat(values(report, "guarantee.lacks-required"))
        .containsEntry("treatments", Value.names(List.of("backups 0")))
        .containsEntry("lacking", Value.name(Requirement.SURVIVES_ONE_SERVER.words()));
    ProbeResult kill = probe(ProbeKind.KILL, 1, "1");
    assertThat(treatment(copies("require: {survives: one-server}", kill))).isEqualTo("backups 2");
  }

  @Test
  void aTreatmentThatFailedInABlockComesBeforeOneThatLacksWhatIsRequired() {
    RunRecord run =
        MadeUpRun.read(COPIES + "require: {survives: one-server}")
            .load(runs, t -> t.block() == 1 && t.settings().number("backups") > 0 ? 0 : 1_000);
    assertThat(treatment(RunReport.of(run))).isIn("backups 1", "backups 2");
  }

  private static ProbeResult probe(ProbeKind kind, int harmed, String backups) {
    return Trials.probe(kind, "put", harmed).of(Map.of("backups", backups));
  }

  @Test
  void whereNoTreatmentHasWhatIsRequiredThereIsNoAnswer() {
    String one =
        COPIES
            .replace("path: put", "backups: 1")
            .replace("backups: [0, 1, 2]", "path: [put, put-all]");
    Experiment read = Fixture.read(one + "require: {survives: one-server, ordered: true}");
    Treatments treatments = read.treatments();
    Experiment asOnOneServer = read.with(treatments.withBase(treatments.base().with("backups", 0)));
    assertThat(ids(report(MadeUpRun.of(asOnOneServer, Fixture.CATALOGUE))))
        .contains("guarantee.lacks-required")
        .first()
        .isEqualTo("no-answer.lacks-required");
  }

  @Test
  void whereNoneIsKnownToDifferTheConfidenceIsLowWhateverElseIsInTheTable() {
    for (double hopeless : new double[] {1_000, 10}) {
      RunRecord run =
          made()
              .noise(0.4)
              .seed(4)
              .load(runs, trial -> trial.path().equals("put-all") ? hopeless : 1_000);
      Recommendation of = Recommendation.of(run, Rankings.of(run).get(0));
      assertThat(of.confidence()).isEqualTo(Answer.Confidence.LOW);
      assertThat(of.best()).contains(of.rows().get(0));
    }
  }

  @Test
  void aRecommendationOfWritesHasItsGuaranteesAndProbes() {
    Answer.Recommended of = recommended(copies("", probe(ProbeKind.ORDER, 0, "0")));
    assertThat(of.treatment()).isEqualTo("backups 0");
    assertThat(of.guarantees())
        .contains(Requirement.ORDERED, Requirement.DURABLE)
        .doesNotContain(Requirement.SURVIVES_ONE_SERVER);
    assertThat(of.probed()).containsExactly(new Answer.Probed(ProbeKind.ORDER, 0, 2_000));
  }
}
