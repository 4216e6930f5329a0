package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunComparisonTest {
  @TempDir Path runs;

  private RunRecord run(MadeUpRun made, double factor) {
    return made.load(runs, trial -> base(trial) * factor);
  }

  private RunRecord run(int blocks, double factor, long seed) {
    return run(MadeUpExperiment.runOf(blocks).seed(seed), factor);
  }

  /** Blocks drift by far more than the noise. */
  private static double base(TrialSpec trial) {
    return (trial.path().equals("put") ? 1000 : 50_000) * (1 + 0.2 * trial.block());
  }

  private static boolean candidate(TrialSpec trial) {
    return "B".equals(trial.levels().get(InterleavedPlan.FACTOR));
  }

  private RunComparison interleaved(MadeUpRun made, double factor) {
    RunFolder folder = made.write(runs, trial -> base(trial) * (candidate(trial) ? factor : 1));
    return judged(RunRecord.load(folder));
  }

  private RunComparison interleaved(int blocks, double noise, double factor) {
    return interleaved(MadeUpExperiment.interleaved(blocks).noise(noise).seed(1), factor);
  }

  private static RunComparison judged(RunRecord run) {
    return only(run);
  }

  private static List<String> ids(RunComparison found) {
    return ComparisonPage.findings(found).stream().map(Finding::id).toList();
  }

  private static Finding answer(RunComparison found) {
    return ComparisonPage.findings(found).get(0);
  }

  private static String page(RunComparison found) {
    return Markdown.page(ComparisonPage.of(found, "x"));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0.01, 1, 0, PASSED, compare.no-relevant-loss",
    "10, 0.01, 0.8, 1, FAILED, compare.regression",
    "4, 0.03, 1, 3, UNDECIDED, compare.(not-decided|too-noisy)"
  })
  void theVerdictDecidesTheExitCodeAndTheOutcomeOfCases(
      int blocks, double noise, double factor, int code, JUnitXml.Outcome outcome, String id) {
    RunComparison found = interleaved(blocks, noise, factor);
    assertThat(found.exitCode()).isEqualTo(code);
    assertThat(answer(found).id()).matches(id);
    assertThat(ComparisonPage.cases(found))
        .hasSize(8)
        .anyMatch(each -> each.outcome() == outcome)
        .noneMatch(each -> code < 3 && each.outcome() != outcome);
    assertThat(page(found)).contains("How many blocks a difference takes", "| throughput |");
  }

  @Test
  void aGainHelpsAndEqualVersionsDoNot() {
    RunComparison gain = interleaved(10, 0.01, 1.3);
    assertThat(gain.outcome()).isEqualTo(GateVerdict.PASS);
    assertThat(gain.helps()).contains(true);
    assertThat(ComparisonPage.effects(gain)).hasSize(8);
    assertThat(interleaved(10, 0.01, 0.7).helps()).contains(false);
    assertThat(interleaved(20, 0.002, 1).helps()).contains(false);
    RunComparison open = interleaved(5, 0.7, 1);
    assertThat(open.helps()).isEmpty();
    assertThat(ComparisonPage.effects(open)).as("throughput").hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void twoBlocksOrFewerAreNotJudged(int blocks) {
    RunComparison found = interleaved(blocks, 0.01, 0.5);
    assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_DECIDED);
    assertThat(found.rows()).allMatch(row -> row.judged().isEmpty());
    assertThat(page(found)).doesNotContain("NaN").contains("not judged");
  }

  /** The one look is after the last planned block. */
  @Test
  void aRunThatIsNotFinishedIsNotJudged() {
    RunRecord run =
        MadeUpExperiment.interleaved(8)
            .noise(0.01)
            .load(runs, trial -> candidate(trial) ? 500 : 1_000);
    List<TrialRecord> five = run.finished().stream().filter(trial -> trial.block() < 5).toList();
    RunComparison stopped = judged(MadeUpRun.of(run, five));
    assertThat(stopped.outcome()).isEqualTo(GateVerdict.NOT_DECIDED);
    assertThat(stopped.rows()).allMatch(row -> row.judged().isEmpty());
    assertThat(answer(stopped).id()).isEqualTo("compare.unfinished");
    assertThat(answer(stopped).values()).containsEntry("finished", Value.count(5));
    assertThat(judged(run).outcome()).isEqualTo(GateVerdict.REGRESSION);
  }

  @Test
  void aGuaranteeThatAProbeRefutedInTheCandidateAloneIsARegression() {
    RunRecord run =
        MadeUpExperiment.interleaved(10).noise(0.01).load(runs, RunComparisonTest::base);
    RunComparison found = probed(run, "B");
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(found.lost())
        .singleElement()
        .matches(lost -> lost.id().equals(RunComparison.Lost.REFUTED));
    assertThat(probed(run, "A", "B").outcome()).isEqualTo(GateVerdict.PASS);
  }

  private static RunComparison probed(RunRecord run, String... refuted) {
    ProbeResult probe = Trials.probe(ProbeKind.ORDER, "put", 7);
    return judged(
        MadeUpRun.of(
            run,
            run.finished(),
            Stream.of(refuted)
                .map(version -> probe.of(Map.of("path", "put", InterleavedPlan.FACTOR, version)))
                .toArray(ProbeResult[]::new)));
  }

  @Test
  void aTreatmentThatFailsInTheCandidateAloneIsARegression() {
    RunComparison found =
        judged(
            MadeUpExperiment.interleaved(5)
                .noise(0.01)
                .load(
                    runs,
                    trial -> candidate(trial) && trial.path().equals("put") ? 0 : base(trial)));
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(found.lost()).singleElement().matches(lost -> lost.treatment().equals("put"));
    assertThat(ComparisonPage.cases(found).get(0).outcome()).isEqualTo(JUnitXml.Outcome.FAILED);
  }

  @ParameterizedTest
  @CsvSource({"B, REGRESSION", "AB, PASS"})
  void aTreatmentThatFailsVerificationInTheCandidateAloneIsARegression(
      String versions, GateVerdict verdict) {
    RunRecord run =
        MadeUpExperiment.interleaved(11).noise(0.01).load(runs, RunComparisonTest::base);
    RunComparison found =
        judged(
            MadeUpRun.of(
                run,
                run.finished().stream()
                    .map(
                        trial ->
                            trial.block() == 4
                                    && versions.contains(trial.levels().get(InterleavedPlan.FACTOR))
                                ? MadeUpRun.wrong(trial, "9 records")
                                : trial)
                    .toList()));
    assertThat(found.outcome()).isEqualTo(verdict);
    assertThat(found.lost())
        .hasSize(verdict == GateVerdict.PASS ? 0 : 2)
        .allMatch(lost -> lost.id().equals(RunComparison.Lost.WRONG));
  }

  /** Throughput is equal, p99 too noisy to judge, and a metric of telemetry twice as high. */
  private RunRecord noisyTail() {
    return MadeUpExperiment.interleaved(10)
        .noise(0.005)
        .metrics(
            (trial, metrics) -> {
              double noise = trial.ordinal() * 7 % 5;
              double p99 = metrics.get("latency.call.p99").value() * (1 + noise / 2);
              double pause = (candidate(trial) ? 20 : 10) + 0.1 * noise;
              metrics.put("latency.call.p99", Metric.lowerIsBetter(p99, "µs"));
              metrics.put("gc.pause", Metric.lowerIsBetter(pause, "ms"));
            })
        .load(runs, RunComparisonTest::base);
  }

  private static RunComparison only(RunRecord run, String... names) {
    return RunComparison.interleaved(
        run, new JudgedMetrics(Set.of(names), Optional.of(0.03), Map.of()));
  }

  @Test
  void onlyTheChosenMetricsAreJudged() {
    RunRecord run = noisyTail();
    assertThat(judged(run).outcome()).isEqualTo(GateVerdict.NOT_DECIDED);
    RunComparison throughput = only(run, "throughput");
    assertThat(throughput.outcome()).isEqualTo(GateVerdict.PASS);
    assertThat(ComparisonPage.cases(throughput))
        .extracting(JUnitXml.Case::name)
        .containsExactly("put: throughput", "put-all: throughput");
    assertThat(only(run, "p99").rows())
        .extracting(row -> row.metric().name())
        .containsOnly("latency.call.p99");
    assertThat(only(run, "p50(call)", "throughput").rows()).hasSize(4);
    assertThat(only(run, "gc.pause").outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThatThrownBy(() -> only(run, "p99(gte)")).isInstanceOf(RunException.class);
  }

  private static MadeUpRun oversubscribed(MadeUpRun made) {
    return made.noise(0.01)
        .validity(trial -> List.of(new Check(Check.OVERSUBSCRIBED, 95, 85, "%", true)));
  }

  @Test
  void theTerminalShowsTheVersionsTheVerdictOneTableAndTheLimitsInFortyLines() {
    RunComparison found = interleaved(oversubscribed(MadeUpExperiment.interleaved(4)), 0.8);
    List<String> lines =
        ComparisonPage.brief(found).render(100, TerminalTable.Rules.ASCII).lines().toList();
    assertThat(lines).hasSizeLessThan(40).allMatch(line -> line.length() <= 100);
    assertThat(lines.get(0)).startsWith("A: ");
    assertThat(lines.get(1)).startsWith("B: ");
    assertThat(lines).filteredOn(line -> line.endsWith(" regression ")).hasSize(8);
    assertThat(ids(found))
        .contains("compare.regression", "change.regression", "validity.oversubscribed");
  }

  @Test
  void separateRunsHaveTheLimitsOfEach() {
    List<Check> foreign = List.of(new Check(Check.OTHER_PROCESSES, 50, 10, "%", true));
    RunRecord disturbed = run(MadeUpExperiment.runOf(10).validity(trial -> foreign), 1);
    RunRecord a = run(oversubscribed(MadeUpExperiment.runOf(10)), 1);
    RunComparison found = RunComparison.of(a, disturbed, JudgedMetrics.USUAL);
    assertThat(ids(found)).contains("validity.oversubscribed");
    assertThat(ComparisonPage.findings(found))
        .filteredOn(finding -> finding.id().equals("validity.disturbed"))
        .singleElement()
        .matches(finding -> finding.sentence().startsWith("B: "));
  }

  @Test
  void separateRunsAreShownSideBySideWithoutAVerdict() {
    RunComparison found = RunComparison.of(run(10, 1, 1), run(10, 0.7, 2), JudgedMetrics.USUAL);
    assertThat(found.exitCode()).isZero();
    assertThat(found.rows())
        .hasSize(8)
        .allMatch(row -> row.judged().isEmpty() && !row.ratio().hasInterval())
        .anySatisfy(row -> assertThat(row.ratio().value()).isCloseTo(0.7, within(0.02)));
    assertThat(page(found)).doesNotContain("verdict |", "regression");
  }

  @Test
  void whatOneRunLacksAndAnotherEnvironmentAreNamed() {
    MadeUpRun other = MadeUpExperiment.runOf(10).withoutP99().seed(2).on("Other CPU");
    RunComparison found = RunComparison.of(run(10, 1, 1), run(other, 1), JudgedMetrics.USUAL);
    assertThat(ids(found))
        .contains("compare.separate-runs", "compare.environments", "change.absent");
    assertThat(found.rows()).noneMatch(row -> row.metric().name().equals("latency.call.p99"));
    assertThat(found.absent()).hasSize(2).allMatch(absent -> absent.version().equals("B"));
  }

  @Test
  void runsWithoutACommonTreatmentAreRefused() {
    RunRecord none = MadeUpExperiment.runOf(2).load(runs, trial -> Double.NaN);
    RunRecord some = run(2, 1, 1);
    assertThatThrownBy(() -> RunComparison.of(some, none, JudgedMetrics.USUAL))
        .isInstanceOf(RunException.class);
    assertThatThrownBy(() -> judged(some)).isInstanceOf(RunException.class);
  }

  @Test
  void differencesAreGivenForAllMetricsOrForOne() {
    RunComparison found =
        RunComparison.interleaved(
            MadeUpExperiment.interleaved(3).load(runs, RunComparisonTest::base),
            JudgedMetrics.parse(Set.of(), List.of("5%", "p99(call)=20%", "latency.call.p50=0.07")));
    for (RunComparison.Row row : found.rows()) {
      assertThat(found.metrics().margin(row.metric()))
          .isEqualTo(
              switch (row.metric().name()) {
                case "latency.call.p99" -> 0.2;
                case "latency.call.p50" -> 0.07;
                default -> 0.05;
              });
    }
    for (String wrong : List.of("much", "0", "100%", "-3%")) {
      assertThatThrownBy(() -> JudgedMetrics.parse(Set.of(), List.of(wrong)))
          .isInstanceOf(RunException.class);
    }
  }
}
