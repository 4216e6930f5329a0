package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the first finding of a run recommends, and when it recommends nothing. */
class RecommendationTest {
  private static final String WRITES =
      """
      pyrometer: 1
      name: writes
      question: How to write without stale reads?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all, put-async]}
      blocks: 5
      probes: [order, read]
      """;

  @TempDir Path runs;

  private static MadeUpRun made() {
    return MadeUpRun.of(Fixture.read(WRITES), Fixture.CATALOGUE);
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
    RunFolder folder = made.write(runs, RecommendationTest::speed);
    RunRecord run = RunRecord.load(folder);
    return RunReport.of(
        new RunRecord(folder, run.plan(), run.environment(), run.finished(), List.of(probes)));
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

  private static List<String> sentences(RunReport report) {
    return report.findings().stream().map(Finding::sentence).toList();
  }

  @Test
  void withoutARefutingProbeTheFastestIsRecommended() {
    RunReport report = report(made(), Trials.probe(ProbeKind.ORDER, "put-async", 0));
    assertThat(sentences(report).get(0)).startsWith("Write with put-async (");
    assertThat(report.findings().get(0).severity()).isEqualTo(Finding.Severity.INFO);
  }

  /** Neither path is known to be faster, and put-async needs twice the CPU time. */
  private Recommendation alike(int blocks, double putAll, double putAsync, double noise) {
    Experiment experiment = Fixture.read(WRITES.replace("blocks: 5", "blocks: " + blocks));
    RunRecord run =
        RunRecord.load(
            MadeUpRun.of(experiment, Fixture.CATALOGUE)
                .metrics(
                    (trial, metrics) ->
                        metrics.put(
                            Metric.CPU,
                            Metric.lowerIsBetter(trial.path().equals("put-all") ? 10 : 20, "µs")))
                .write(
                    runs,
                    trial ->
                        switch (trial.path()) {
                          case "put-async" -> putAsync * (1 + noise * (trial.block() % 3));
                          case "put-all" -> putAll * (1 + noise * (2 - trial.block() % 3));
                          default -> 1_000;
                        }));
    return Recommendation.of(run, Rankings.of(run).get(0));
  }

  private static String path(Optional<Ranking.Row> row) {
    return row.map(Ranking.Row::path).orElse("none");
  }

  @Test
  void theHighestEstimateIsRecommendedWhateverItsCpuTime() {
    for (int blocks : new int[] {1, 3, 5}) {
      Recommendation open = alike(blocks, 100_000, blocks == 1 ? 150_000 : 120_000, 0.2);
      assertThat(path(open.best())).isEqualTo("put-async");
      assertThat(path(open.second())).isEqualTo("put-all");
      assertThat(open.confidence()).isEqualTo(Recommendation.Confidence.LOW);
      assertThat(open.cheaper()).as("a loss is not excluded").isEmpty();
    }
  }

  @Test
  void lessCpuTimeIsNamedOnlyWhereALossOfATenthIsExcluded() {
    Recommendation close = alike(5, 100_000, 103_000, 0);
    assertThat(path(close.best())).isEqualTo("put-async");
    assertThat(path(close.cheaper())).isEqualTo("put-all");
    Recommendation far = alike(5, 100_000, 130_000, 0);
    assertThat(far.cheaper()).isEmpty();
    assertThat(far.confidence()).isEqualTo(Recommendation.Confidence.HIGH);
    assertThat(alike(3, 100_000, 130_000, 0).confidence())
        .isEqualTo(Recommendation.Confidence.MEDIUM);
  }

  @Test
  void theSentenceNamesTheMeasureAndBothOfTwoThatAreNotShownToDiffer() {
    Recommendation open = alike(5, 100_000, 120_000, 0.2);
    assertThat(Recommendation.Sentence.of(List.of(open), new HashSet<>()))
        .startsWith("write with put-async (highest throughput, ")
        .contains("; low confidence: not significantly different from put-all (0.");
  }

  @Test
  void whatAProbeOfReadsRefutedIsNotRecommendedAndListedWithTheReason() {
    RunReport report = report(made(), found(ProbeKind.READ, "put-async", 1_649, 46));
    assertThat(sentences(report).get(0)).startsWith("Write with put-all (");
    assertThat(sentences(report))
        .contains(
            "put-async (99.6 times the throughput of put) does not keep its guarantees and is not"
                + " recommended: reads in the probe did not see what was acknowledged (46 of 1,649 reads stale or lost).")
        .noneMatch(sentence -> sentence.startsWith("put-async is faster"));
    assertThat(report.rankings().get(0).rows().get(0).marks()).containsExactly("guarantee refuted");
  }

  @Test
  void aBaselineThatAProbeRefutedLowersNoDemand() {
    RunReport report = report(made(), Trials.probe(ProbeKind.ORDER, "put", 3));
    Ranking ranking = report.rankings().get(0);
    assertThat(ranking.rows().stream().filter(Ranking.Row::isBaseline))
        .extracting(Ranking.Row::path)
        .containsExactly("put");
    assertThat(sentences(report).get(0)).startsWith("Write with put-async (");
  }

  @Test
  void whereProbesRefutedEveryTreatmentThereIsNoAnswer() {
    RunReport report =
        report(
            made(),
            Trials.probe(ProbeKind.ORDER, "put", 1),
            Trials.probe(ProbeKind.ORDER, "put-all", 1),
            Trials.probe(ProbeKind.ORDER, "put-async", 1));
    assertThat(sentences(report).get(0))
        .startsWith("No answer: to write, probes refuted the guarantees of every treatment. Use ");
    assertThat(report.findings().get(0).severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(sentences(report))
        .filteredOn(sentence -> sentence.contains("guarantees and are not recommended. "))
        .singleElement()
        .asString()
        .startsWith("3 treatments do not keep their")
        .contains("of put): order per key", "; put: order per key");
  }

  @Test
  void noStaleKeyOfAFewIsNotTested() {
    RunReport report =
        report(
            made(),
            found(ProbeKind.ORDER, "put-async", 54, 0),
            found(ProbeKind.ORDER, "put-all", ProbeCounts.MIN_CHECKED, 0));
    assertThat(sentences(report).get(0)).startsWith("Write with put-async (");
    assertThat(sentences(report))
        .contains(
            "Not tested, because a probe failed or checked fewer than 300 keys or reads: put-async"
                + " (order: 0 of 54).");
    Ranking ranking = report.rankings().get(0);
    assertThat(Markdown.table(RankingTable.of(ranking)))
        .contains("not tested (0 of 54)", "| 0 of 300 |", "| not tested |");
  }

  @Test
  void oneStaleKeyOfAFewIsConclusive() {
    RunReport report = report(made(), found(ProbeKind.ORDER, "put-async", 54, 1));
    assertThat(sentences(report).get(0)).startsWith("Write with put-all (");
  }

  @Test
  void whereNoneIsKnownToDifferTheConfidenceIsLowWhateverElseIsInTheTable() {
    for (double hopeless : new double[] {1_000, 10}) {
      RunFolder folder =
          made()
              .noise(0.4)
              .seed(4)
              .write(runs, trial -> trial.path().equals("put-all") ? hopeless : 1_000);
      RunRecord run = RunRecord.load(folder);
      Recommendation of = Recommendation.of(run, Rankings.of(run).get(0));
      assertThat(of.confidence()).isEqualTo(Recommendation.Confidence.LOW);
      assertThat(of.best()).contains(of.rows().get(0));
    }
  }

  private String next(MadeUpRun made, double put) {
    RunFolder folder = made.write(runs, trial -> trial.path().equals("put") ? put : 1_000);
    List<Finding> findings = RunReport.of(RunRecord.load(folder)).findings();
    Finding last = findings.get(findings.size() - 1);
    assertThat(last.kind()).contains(Finding.Kind.FOLLOW_UP);
    return last.sentence();
  }

  @Test
  void theNextRunHasTheBlocksThatTellTheFirstTwoApart() {
    assertThat(next(made().noise(0.1).seed(4), 10))
        .matches("Next: \\./pyrometer run writes\\.yaml --blocks \\d+, about .*");
  }

  @Test
  void wherePrecisionIsFarTheNextRunHasLongerTrials() {
    double measured =
        RunRecord.load(made().write(runs, trial -> 1))
            .counting()
            .get(0)
            .settings()
            .get(CoreSettings.MEASURE);
    assertThat(next(made().noise(0.6).seed(4), 1_000))
        .contains(" --set measure=%.0fs, about ".formatted(Math.ceil(4 * measured)));
  }

  @Test
  void whereCodeWasColdALongerWarmUpComesFirst() {
    assertThat(
            next(
                made()
                    .noise(0.6)
                    .seed(4)
                    .validity(trial -> List.of(new Check(Check.JIT_COMPILERS, 34, 10, "%", true))),
                1_000))
        .contains(" --set common-warm-up=120s");
  }

  @Test
  void afterTwoBlocksTheNextRunHasMore() {
    MadeUpRun two =
        MadeUpRun.of(Fixture.read(WRITES.replace("blocks: 5", "blocks: 2")), Fixture.CATALOGUE);
    assertThat(next(two, 10)).contains(" --blocks ");
  }

  @Test
  void treatmentsThatAreKnownToBeEqualAreAnAnswer() {
    RunFolder folder = made().noise(0.002).write(runs, trial -> 1_000);
    assertThat(sentences(RunReport.of(RunRecord.load(folder))).get(0))
        .startsWith("Write with put")
        .contains(", not significantly different from ");
  }

  @Test
  void mostlyDisturbedTrialsAreNoAnswerWhateverTheyMeasured() {
    RunReport report =
        report(made().validity(trial -> trial.block() < 3 ? List.of(Trials.steal()) : List.of()));
    assertThat(sentences(report).get(0))
        .matches(
            "No answer: 9 of 15 trials were disturbed by the machine\\. Repeat the run on a machine"
                + " that does nothing else: \\./pyrometer run writes\\.yaml, about \\d+ .*\\.");
    assertThat(sentences(report)).noneMatch(sentence -> sentence.startsWith("Write with"));
    RunReport fewer =
        report(made().validity(trial -> trial.block() < 2 ? List.of(Trials.steal()) : List.of()));
    assertThat(sentences(fewer).get(0)).startsWith("Write with put-async (");
  }

  @Test
  void theNoiseOfSpeedDoesNotTouchWhatProbesFound() {
    RunReport report =
        report(
            made().validity(trial -> List.of(Trials.steal())),
            found(ProbeKind.KILL, "put", 7_144, 0),
            found(ProbeKind.KILL, "put-async", 7_144, 1));
    assertThat(sentences(report).get(0)).startsWith("put-async ").contains("7,144");
    assertThat(sentences(report).get(1))
        .startsWith("No acknowledged write was lost when one server ended, which is no proof");
    assertThat(sentences(report))
        .filteredOn(sentence -> sentence.startsWith("No answer: "))
        .singleElement()
        .asString()
        .contains("which the results of probes do not depend on");
  }

  @Test
  void anotherAnalysisOfAMostlyDisturbedRunBeginsWithNoAnswerToo() {
    MadeUpRun made =
        MadeUpRun.of(Fixture.read(WRITES + "analyses: [factors]\n"), Fixture.CATALOGUE)
            .validity(trial -> List.of(Trials.steal()));
    assertThat(sentences(report(made)).get(0))
        .startsWith("No answer: 15 of 15 trials were disturbed by the machine.");
  }

  private static final String COPIES =
      """
      pyrometer: 1
      name: copies
      question: How many copies?
      grid: {driver: rich, nodes: 3}
      workload: {record: stock-order, records: 1000, path: put}
      factors: {backups: [0, 1, 2]}
      blocks: 5
      """;

  private List<String> copies(String require, ProbeResult... probes) {
    MadeUpRun made = MadeUpRun.of(Fixture.read(COPIES + require), Fixture.CATALOGUE);
    RunFolder folder =
        made.write(runs, trial -> 9_000 - 1_000 * trial.settings().number("backups"));
    RunRecord run = RunRecord.load(folder);
    return sentences(
        RunReport.of(
            new RunRecord(folder, run.plan(), run.environment(), run.finished(), List.of(probes))));
  }

  @Test
  void aRecommendationOfWritesStatesItsGuarantees() {
    assertThat(copies("").get(0))
        .matches(
            "Write with backups 0 \\(.*; overwrites, ordered, on all requested copies, atomic, no"
                + " stale reads; declared, not probed\\).*\\.");
  }

  @Test
  void theGuaranteesThatWereProbedAreNamed() {
    ProbeResult enough = probe(ProbeKind.ORDER, "0", 2_000, 0);
    assertThat(copies("", enough).get(0))
        .contains("no stale reads; probed with one client writing: ordered)");
    ProbeResult few = probe(ProbeKind.ORDER, "0", 54, 0);
    assertThat(copies("", few).get(0)).contains("; declared, not probed)");
  }

  @Test
  void whatWasNotRequiredAndOthersGuaranteeIsNamed() {
    assertThat(copies("require: {ordered: true}").get(0))
        .startsWith("Write with backups 0 (")
        .contains("no stale reads, but may lose acknowledged writes when a server crashes");
  }

  @Test
  void whatLacksARequiredGuaranteeIsExcludedWithTheReason() {
    List<String> sentences = copies("require: {survives: one-server}");
    assertThat(sentences.get(0))
        .startsWith("Write with backups 1 (")
        .contains("survives a server crash; declared, not probed)");
    assertThat(sentences)
        .contains(
            "Excluded by 'require': backups 0 (1.12 times the throughput of backups 1): may lose"
                + " acknowledged writes when a server crashes.");
  }

  @Test
  void aProbeExcludesWhatTheDriverDeclares() {
    ProbeResult kill = probe(ProbeKind.KILL, "1", 1_000, 1);
    assertThat(copies("require: {survives: one-server}", kill).get(0))
        .startsWith("Write with backups 2 (");
  }

  private static ProbeResult probe(ProbeKind kind, String backups, long checked, long lost) {
    return new ProbeResult(
        kind,
        ProbeResult.SCHEMA,
        Map.of("backups", backups),
        "put",
        "2026-11-21T00:00:00Z",
        Optional.empty(),
        Optional.of(new ProbeCounts(9_000, checked, 0, lost, 0, List.of(), 0.1, false)));
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
    RunFolder folder =
        MadeUpRun.of(asOnOneServer, Fixture.CATALOGUE).write(runs, RecommendationTest::speed);
    assertThat(sentences(RunReport.of(RunRecord.load(folder))))
        .contains(
            "Excluded by 'require': put-all (9.98 times the throughput of put) and put: may lose"
                + " acknowledged writes when a server crashes.")
        .first()
        .isEqualTo(
            "No answer: to write, no treatment has the required guarantees (ordered, survives a"
                + " server crash). Add paths or settings that have what 'require' names, or require less.");
  }
}
