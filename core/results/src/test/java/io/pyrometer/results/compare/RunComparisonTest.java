package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.LargeRun;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunComparisonTest {
  private static final Margins MARGINS = Margins.given(Optional.of(0.03), Map.of());

  @TempDir Path runs;

  private RunRecord run(int blocks, double factor, long seed) {
    return run(MadeUpExperiment.runOf(blocks).seed(seed), factor);
  }

  private RunRecord run(MadeUpRun made, double factor) {
    return RunRecord.load(made.write(runs, trial -> base(trial) * factor));
  }

  /** Blocks drift by far more than the noise. */
  private static double base(TrialSpec trial) {
    return (trial.path().equals("put") ? 1000 : 50_000) * (1 + 0.2 * trial.block());
  }

  private static boolean candidate(TrialSpec trial) {
    return "B".equals(trial.levels().get(InterleavedPlan.FACTOR));
  }

  /** Runs at different times, one a version. */
  private static RunComparison separate(RunRecord... records) {
    return RunComparison.of(
        Stream.of(records).map(run -> Side.of(List.of(run))).toList(),
        MARGINS,
        JudgedMetrics.USUAL,
        false);
  }

  private RunComparison interleaved(MadeUpRun made, double factor) {
    RunFolder folder = made.write(runs, trial -> base(trial) * (candidate(trial) ? factor : 1));
    return RunComparison.interleaved(RunRecord.load(folder), MARGINS, JudgedMetrics.USUAL);
  }

  private RunComparison interleaved(int blocks, double noise, double factor, long seed) {
    return interleaved(MadeUpExperiment.interleaved(blocks).noise(noise).seed(seed), factor);
  }

  private static String sentences(RunComparison found) {
    return ComparisonFindings.of(found).stream()
        .map(Finding::sentence)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void anUnchangedVersionPasses() {
    RunComparison found = interleaved(10, 0.01, 1, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.PASS);
    assertThat(found.settled()).isTrue();
    assertThat(found.rows()).hasSize(8);
    assertThat(sentences(found))
        .startsWith(
            "No regression in 8 comparisons: a loss of the smallest relevant difference is excluded"
                + " in each; the largest change for the worse")
        .doesNotContain("alternated");
  }

  @Test
  void aLossIsARegressionInThroughputCpuTimeAndLatency() {
    RunComparison found = interleaved(10, 0.01, 0.8, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(found.rows()).allMatch(row -> row.comparison().verdict() == Verdict.WORSE);
    assertThat(sentences(found))
        .startsWith(
            "Regression: put in B (throughput, CPU time per record, p50 latency of call, p99"
                + " latency of call); put-all in B (")
        .contains("Regression: the throughput of put in B is −")
        .contains("interval at every look")
        .contains("above the margin of 3 %");
  }

  @Test
  void aGuaranteeThatAProbeRefutedInTheCandidateAloneIsARegression() {
    RunFolder folder =
        MadeUpExperiment.interleaved(10).noise(0.01).write(runs, RunComparisonTest::base);
    RunRecord run = RunRecord.load(folder);
    RunComparison found = compared(run, refuted("B"));
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(sentences(found))
        .startsWith("Regression: put in B (guarantee refuted).")
        .contains(
            "put does not keep its guarantees in B: order per key claimed, refuted by the probe (7"
                + " of 2,000 keys stale or lost).");
    assertThat(ComparisonPage.cases(found).get(0).message())
        .startsWith("It does not keep its guarantees: order per key");
    assertThat(compared(run, refuted("A"), refuted("B")).outcome()).isEqualTo(GateVerdict.PASS);
  }

  private static RunComparison compared(RunRecord run, ProbeResult... probes) {
    return RunComparison.interleaved(
        new RunRecord(run.folder(), run.plan(), run.environment(), run.finished(), List.of(probes)),
        MARGINS,
        JudgedMetrics.USUAL);
  }

  private static ProbeResult refuted(String version) {
    return Trials.probe(ProbeKind.ORDER, "put", 7)
        .of(Map.of("path", "put", InterleavedPlan.FACTOR, version));
  }

  /** Throughput is alike, and p99 too noisy to judge. */
  private RunRecord noisyTail() {
    return RunRecord.load(
        MadeUpExperiment.interleaved(10)
            .noise(0.005)
            .metrics(
                (trial, metrics) ->
                    metrics.computeIfPresent(
                        "latency.call.p99",
                        (name, p99) ->
                            Metric.lowerIsBetter(
                                p99.value() * (1 + (trial.ordinal() * 7 % 5) / 2.0), "µs")))
            .write(runs, RunComparisonTest::base));
  }

  private static RunComparison only(RunRecord run, String... names) {
    return RunComparison.interleaved(run, MARGINS, new JudgedMetrics(Set.of(names), Set.of()));
  }

  @Test
  void onlyTheChosenMetricsAreJudged() {
    RunRecord run = noisyTail();
    assertThat(only(run).outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
    RunComparison throughput = only(run, "throughput");
    assertThat(throughput.outcome()).isEqualTo(GateVerdict.PASS);
    assertThat(sentences(throughput)).startsWith("No regression in 2 comparisons");
    assertThat(ComparisonPage.cases(throughput))
        .extracting(JUnitXml.Case::name)
        .containsExactly("put: throughput", "put-all: throughput");
    assertThat(only(run, "p99").rows())
        .extracting(row -> row.metric().name())
        .containsOnly("latency.call.p99");
    assertThat(only(run, "p50(call)", "throughput").rows()).hasSize(4);
    assertThatThrownBy(() -> only(run, "p99(gte)"))
        .hasMessageContaining("No run has a metric 'p99(gte)' that is better or worse");
  }

  @Test
  void aRowHasOneVerdictThatSaysWhetherARegressionIsExcluded() {
    RunComparison found = only(noisyTail());
    assertThat(found.rows())
        .allSatisfy(
            row ->
                assertThat(ComparisonPage.verdict(row))
                    .isIn(
                        row.outcome() == GateVerdict.PASS
                            ? List.of("no regression", "no relevant difference", "better")
                            : List.of("open", "larger loss excluded")));
    assertThat(Markdown.page(ComparisonPage.of(found, "x", Optional.empty())))
        .contains("| verdict |")
        .doesNotContain("| regression |", "| excluded |");
  }

  @Test
  void aGainIsNone() {
    RunComparison found = interleaved(10, 0.01, 1.3, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.PASS);
    assertThat(found.rows()).allMatch(row -> row.comparison().verdict() == Verdict.BETTER);
  }

  @Test
  void aChangeHelpsOnlyIfItIsShownTo() {
    assertThat(interleaved(10, 0.01, 1.3, 1).helps()).contains(true);
    assertThat(interleaved(10, 0.01, 0.7, 1).helps()).contains(false);
    assertThat(interleaved(5, 0.7, 1, 1).helps()).isEmpty();
    assertThat(interleaved(20, 0.002, 1, 1).helps()).contains(false);
    RunComparison gain = interleaved(10, 0.01, 1.3, 1);
    assertThat(gain.effects())
        .as("what the verdict rests on")
        .containsAll(gain.rows().stream().map(row -> row.comparison().finding()).toList());
    assertThat(interleaved(5, 0.7, 1, 1).effects())
        .isNotEmpty()
        .allMatch(effect -> effect.sentence().contains("throughput"));
  }

  @Test
  void fewNoisyBlocksExcludeLittleAndItSaysHowMuchIsLeft() {
    RunComparison found = interleaved(6, 0.1, 1, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
    assertThat(sentences(found))
        .startsWith("No verdict in so few blocks: no regression found, but ")
        .contains(
            "that is not excluded is ",
            "more than 100 blocks would be needed if there is no difference",
            " (--set measure=10s), ");
    assertThat(sentences(interleaved(6, 0.015, 0.98, 1)))
        .containsPattern("about \\d+ blocks would decide .* --blocks \\d+, about \\d+ min");
  }

  /** Five blocks of a ratio that varies by a factor of e. */
  @Test
  void anIntervalThatExcludesNothingIsNotPrinted() {
    RunComparison found = interleaved(5, 0.7, 1, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
    assertThat(sentences(found))
        .contains("is too wide to report", "blocks would be needed")
        .doesNotContainPattern("\\+\\d{3,} %");
    assertThat(Markdown.page(ComparisonPage.of(found, "x", Optional.empty())))
        .contains("interval too wide");
  }

  @Test
  void disturbedTrialsAreCountedForEachVersion() {
    MadeUpRun made =
        MadeUpExperiment.interleaved(10)
            .noise(0.01)
            .validity(
                trial ->
                    candidate(trial) && trial.block() == 0
                        ? List.of(new Check(Check.OTHER_PROCESSES, 50, 10, "%", true))
                        : List.of());
    assertThat(sentences(interleaved(made, 1)))
        .contains("2 of 40 trials were disturbed (0 of 20 in A and 2 of 20 in B)");
    assertThat(sentences(interleaved(10, 0.01, 1, 1))).doesNotContain("disturbed");
  }

  @Test
  void oneOutlyingTrialIsNamedAndDoesNotAskForAHundredBlocks() {
    MadeUpRun made = MadeUpExperiment.interleaved(8).noise(0.01);
    RunFolder folder =
        made.write(
            runs,
            trial -> {
              boolean slow = candidate(trial) && trial.block() == 3 && trial.path().equals("put");
              return base(trial) * (slow ? 0.4 : 1);
            });
    RunComparison found =
        RunComparison.interleaved(RunRecord.load(folder), MARGINS, JudgedMetrics.USUAL);
    assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
    assertThat(sentences(found))
        .contains("Outlying ratio of the throughput of B to A: put in block 4 gave ")
        .doesNotContainPattern("about \\d+");
  }

  @Test
  void beforeTheFirstLookNothingIsJudgedAndNoIntervalIsShown() {
    for (int blocks : new int[] {1, 2, 4}) {
      RunComparison found = interleaved(blocks, 0.01, 0.5, 1);
      assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
      assertThat(sentences(found)).startsWith("Not enough blocks: the first look is after 5");
      assertThat(found.rows()).noneMatch(row -> row.comparison().ratio().hasInterval());
      assertThat(Markdown.page(ComparisonPage.of(found, "x", Optional.empty())))
          .doesNotContain("NaN");
    }
    assertThat(interleaved(5, 0.01, 0.5, 1).outcome()).isEqualTo(GateVerdict.REGRESSION);
  }

  @Test
  void fewPlannedBlocksAreLookedAtOnceWithNarrowerIntervals() {
    RunComparison once = interleaved(6, 0.01, 1, 1);
    assertThat(once.looksOnce()).isTrue();
    assertThat(sentences(once)).doesNotContain("at every look");
    assertThat(Markdown.page(ComparisonPage.of(once, "x", Optional.empty())))
        .contains("There was one look, after the last block.");
    RunRecord ten =
        RunRecord.load(
            MadeUpExperiment.interleaved(10)
                .noise(0.01)
                .seed(1)
                .write(runs, RunComparisonTest::base));
    List<TrialRecord> six = ten.finished().stream().filter(trial -> trial.block() < 6).toList();
    RunComparison everyLook =
        RunComparison.interleaved(
            new RunRecord(ten.folder(), ten.plan(), ten.environment(), six, List.of()),
            MARGINS,
            JudgedMetrics.USUAL);
    assertThat(everyLook.looksOnce()).isFalse();
    for (int i = 0; i < once.rows().size(); i++) {
      assertThat(width(once.rows().get(i))).isLessThan(0.7 * width(everyLook.rows().get(i)));
    }
  }

  private static double width(RunComparison.Row row) {
    Estimate ratio = row.gate().orElseThrow().ratio();
    return Math.log(ratio.high() / ratio.low());
  }

  @Test
  void aRunOfFewBlocksGoesOnToItsLastAndOneStoppedByHandLeavesRoomForTheLookAtItsEnd() {
    RunRecord run =
        RunRecord.load(
            MadeUpExperiment.interleaved(8)
                .noise(0.01)
                .write(runs, trial -> candidate(trial) ? 500 : 1_000));
    List<TrialRecord> five = run.finished().stream().filter(trial -> trial.block() < 5).toList();
    assertThat(RunComparison.decided(run).test(five)).as("half the throughput").isFalse();
    RunRecord stopped = new RunRecord(run.folder(), run.plan(), run.environment(), five, List.of());
    assertThat(RunComparison.looksOnce(stopped)).isFalse();
    assertThat(RunComparison.looksOnce(run)).isTrue();
  }

  @Test
  void singleRunsAtDifferentTimesAreShownAndNotJudged() {
    RunComparison found = separate(run(10, 1, 1), run(10, 0.7, 2));
    assertThat(found.outcome()).isEqualTo(GateVerdict.NOT_ENOUGH_RUNS);
    assertThat(sentences(found))
        .startsWith("Not judged: one run of each, made at different times, does not show how much")
        .contains("compare --interleave", "several runs of each");
    assertThat(found.rows())
        .allMatch(row -> !row.comparison().ratio().hasInterval())
        .anyMatch(row -> Math.abs(row.comparison().ratio().value() - 0.7) < 0.02);
    assertThat(ComparisonPage.cases(found))
        .allMatch(each -> each.outcome() == JUnitXml.Outcome.UNDECIDED);
    assertThat(Markdown.page(ComparisonPage.of(found, "x", Optional.empty())))
        .contains("not judged");
  }

  /** So many runs whose level varies from run to run. */
  private Side several(int count, double runSd, double factor, Random random) {
    return Side.of(
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    run(
                        MadeUpExperiment.runOf(4).noise(0.01).seed(random.nextLong()),
                        factor * Math.exp(runSd * random.nextGaussian())))
            .toList());
  }

  private RunComparison several(int count, double runSd, double factor, long seed) {
    Random random = new Random(seed);
    return RunComparison.of(
        List.of(several(count, runSd, 1, random), several(count, runSd, factor, random)),
        MARGINS,
        JudgedMetrics.USUAL,
        false);
  }

  @Test
  void severalRunsOfEachShowHowMuchRunsDiffer() {
    RunComparison lost = several(5, 0.01, 0.8, 1);
    assertThat(lost.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(sentences(lost)).contains("5 runs, p");
  }

  /** Whose treatments all have exactly the same share of their level, as coarse values have. */
  private Side inStep(double... factors) {
    return Side.of(
        IntStream.range(0, factors.length)
            .mapToObj(i -> run(MadeUpExperiment.runOf(2).noise(0).seed(i), factors[i]))
            .toList());
  }

  private RunComparison compared(Side a, Side b) {
    return RunComparison.of(List.of(a, b), MARGINS, JudgedMetrics.USUAL, false);
  }

  @Test
  void runsWhoseTreatmentsMoveExactlyTogetherAreJudgedByTheRunsAlone() {
    RunComparison lost = compared(inStep(1, 1.02, 0.99, 1.01), inStep(0.81, 0.8, 0.79, 0.805));
    assertThat(lost.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(compared(inStep(1, 1.2, 0.8), inStep(1.1, 0.85, 1.05)).outcome())
        .as("noise of the runs, which four treatments that agree must not hide")
        .isNotEqualTo(GateVerdict.REGRESSION);
  }

  @Test
  void runsThatAgreeToTheDigitAreNoError() {
    assertThat(compared(inStep(1, 1, 1), inStep(1, 1, 1)).outcome()).isEqualTo(GateVerdict.PASS);
  }

  @Tag("simulation")
  @Test
  void runsThatDifferFromTimeToTimeRaiseFewFalseAlarms() {
    int alarms = 0;
    for (int i = 0; i < 40; i++) {
      alarms +=
          several(3, 0.02 + 0.01 * (i % 3), 1, 100 + i).outcome() == GateVerdict.REGRESSION ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(2);
  }

  @Test
  void unlikeEnvironmentsAreRefusedInASentenceThatNamesWhatDiffers() {
    RunRecord here = run(3, 1, 1);
    RunRecord there = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1);
    assertThatThrownBy(() -> separate(here, there))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "A and B were made in unlike environments: CPU (Test CPU and Other CPU); their figures"
                + " are not comparable. Give --ignore-environment to compare them nevertheless.");
    RunComparison anyway =
        RunComparison.of(
            List.of(Side.of(List.of(here)), Side.of(List.of(there))),
            MARGINS,
            JudgedMetrics.USUAL,
            true);
    assertThat(sentences(anyway)).contains("compared nevertheless (--ignore-environment).");
  }

  @Test
  void aTreatmentThatNoLongerComesOutRightIsARegression() {
    RunRecord before = run(5, 1, 1);
    RunRecord after =
        RunRecord.load(
            MadeUpExperiment.runOf(5)
                .write(runs, trial -> trial.path().equals("put") ? 0 : base(trial)));
    RunComparison found = separate(before, after);
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(sentences(found))
        .contains("put has valid trials in A and none in B", "Not judged: one run of each");
    assertThat(ComparisonPage.cases(found).get(0).outcome()).isEqualTo(JUnitXml.Outcome.FAILED);
  }

  @Test
  void runsWithoutACommonTreatmentAreRefused() {
    RunRecord none = RunRecord.load(MadeUpExperiment.runOf(2).write(runs, trial -> Double.NaN));
    RunRecord some = run(2, 1, 1);
    assertThatThrownBy(() -> separate(some, none))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("share no treatment");
    assertThatThrownBy(() -> RunComparison.interleaved(some, MARGINS, JudgedMetrics.USUAL))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("is one run of one version");
  }

  @Test
  void noiseDoesNotDecideWhatMattersButHowManyBlocksItTakes() {
    RunRecord run = run(3, 1, 1);
    assertThat(Margins.found(runs, run.environment()).origin())
        .contains("the default", "is not known");
    CalibrationTest.calibration(0.05).write(runs, t -> 1e4);
    Margins found = Margins.found(runs, run.environment());
    assertThat(found.of(new NamedMetric("throughput", "records/s", Direction.HIGHER)))
        .isEqualTo(0.03);
    assertThat(found.of(new NamedMetric("latency.get.p99", "µs", Direction.LOWER))).isEqualTo(0.1);
    assertThat(found.origin()).containsPattern("finds a loss of throughput of 10 % within \\d+ bl");
    RunRecord elsewhere = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1);
    assertThat(Margins.found(runs, elsewhere.environment()).origin()).contains("is not known");
  }

  /** Noise of 3 % in throughput, and of its own, 6 %, in p99. */
  private RunComparison noisy(long seed, double p99Factor, String... further) {
    Random random = new Random(seed);
    RunFolder folder =
        MadeUpExperiment.interleaved(15)
            .seed(seed)
            .noise(0.03)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        "latency.call.p99",
                        Metric.lowerIsBetter(
                            4_000
                                * (candidate(trial) ? p99Factor : 1)
                                * Math.exp(0.06 * random.nextGaussian()),
                            "µs")))
            .write(runs, RunComparisonTest::base);
    return RunComparison.interleaved(
        RunRecord.load(folder), Margins.DEFAULT, new JudgedMetrics(Set.of(), Set.of(further)));
  }

  @Test
  void aP99RegressionOf30PercentFailsAlthoughThroughputIsUnchanged() {
    RunComparison found = noisy(1, 1.3);
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(found.rows())
        .filteredOn(row -> row.outcome() == GateVerdict.REGRESSION)
        .extracting(row -> row.metric().name())
        .contains("latency.call.p99");
    assertThat(sentences(found))
        .startsWith(
            "Regression: put in B (p99 latency of call); put-all in B (p99 latency of call).")
        .contains("above the margin of 10 %");
    assertThat(ComparisonPage.cases(found))
        .filteredOn(each -> each.outcome() == JUnitXml.Outcome.FAILED)
        .hasSize(2);
  }

  @Test
  void anAAComparisonWithNoisyTailsExcludesALargerLossAndSaysThatItIsNoPass() {
    int excluded = 0;
    for (int pair = 0; pair < 10; pair++) {
      RunComparison found = noisy(100 + pair, 1);
      assertThat(found.outcome()).isNotEqualTo(GateVerdict.REGRESSION);
      excluded += found.outcome() == GateVerdict.LARGER_LOSS_EXCLUDED ? 1 : 0;
    }
    assertThat(excluded).isGreaterThanOrEqualTo(9);
    RunComparison found = noisy(100, 1);
    assertThat(sentences(found))
        .startsWith("Only a larger loss is excluded: ")
        .contains("8 comparisons exclude one of 3⅓ times the smallest relevant difference");
    assertThat(ComparisonPage.cases(found))
        .filteredOn(each -> each.outcome() == JUnitXml.Outcome.UNDECIDED)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.message()).contains(" or more is excluded, one of "));
  }

  @Test
  void aSignificantLossWhoseIntervalReachesBelowTheMarginIsOfOpenSize() {
    RunComparison found = interleaved(20, 0.03, 0.94, 1);
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(sentences(found))
        .startsWith("Significant loss, its size open: put")
        .contains("whose size is open: the interval reaches below the margin of 3 %")
        .doesNotContain("above the margin");
    assertThat(Markdown.page(ComparisonPage.of(found, "x", Optional.empty())))
        .contains("regression, size open");
  }

  /** Nothing but the slow drift of the ratio itself, which no order of the trials takes out. */
  @Test
  void blocksThatDependOnEachOtherWidenTheInterval() {
    double independent = width(block -> block % 2 == 0 ? 0.02 : -0.02);
    double drifting = width(block -> block < 10 ? 0.02 : -0.02);
    assertThat(drifting).isGreaterThan(2.5 * independent);
  }

  private double width(IntToDoubleFunction lnRatio) {
    RunFolder folder =
        MadeUpExperiment.interleaved(20)
            .noise(0.001)
            .write(
                runs,
                trial ->
                    base(trial)
                        * (candidate(trial) ? Math.exp(lnRatio.applyAsDouble(trial.block())) : 1));
    Estimate ratio =
        RunComparison.interleaved(RunRecord.load(folder), MARGINS, JudgedMetrics.USUAL)
            .rows()
            .get(0)
            .comparison()
            .ratio();
    return Math.log(ratio.high() / ratio.low());
  }

  @ParameterizedTest
  @CsvSource({"ABBAAB, false", "ABAB, false", "AABAA, false", "AAABBB, true", "ABBBA, true"})
  void runsThatWereNotAlternatedInTimeAreNamed(String order, boolean warned) {
    List<RunRecord> a = new ArrayList<>();
    List<RunRecord> b = new ArrayList<>();
    for (int i = 0; i < order.length(); i++) {
      MadeUpRun run = MadeUpExperiment.runOf(2).seed(i).begun("2026-11-20T1%d:00:00Z".formatted(i));
      (order.charAt(i) == 'A' ? a : b).add(run(run, 1));
    }
    String sentence =
        "The runs of A and B were not alternated in time (%s), so drift of the machine appears as a"
            .formatted(String.join(" ", order.split("")));
    assertThat(sentences(compared(Side.of(a), Side.of(b))).contains(sentence)).isEqualTo(warned);
  }

  @Test
  void p999IsJudgedOnlyWhenAskedFor() {
    RunComparison found = noisy(1, 1);
    assertThat(found.rows()).noneMatch(row -> row.metric().name().equals("latency.call.p99.9"));
    assertThat(noisy(1, 1, "latency.call.p99.9").rows())
        .anyMatch(row -> row.metric().name().equals("latency.call.p99.9"));
    assertThatThrownBy(() -> noisy(1, 1, "latency.cal.p99"))
        .isInstanceOf(RunException.class)
        .hasMessageStartingWith("No run has a metric 'latency.cal.p99'");
  }

  @Test
  void tailsAreComparedByAllCallsOfTheBlocksTogether() throws Exception {
    RunFolder folder = MadeUpExperiment.interleaved(12).write(runs, RunComparisonTest::base);
    Random random = new Random(5);
    for (TrialRecord trial : folder.trials()) {
      boolean slower = "B".equals(trial.levels().get(InterleavedPlan.FACTOR));
      Histogram histogram = new Histogram(3);
      for (int i = 0; i < 1_000; i++) {
        double micros = Math.exp(0.5 * random.nextGaussian()) * (slower ? 1_500 : 1_000);
        histogram.recordValue((long) (1e3 * micros));
      }
      LargeRun.write(folder.histogram(trial.id(), 1), "call", histogram);
    }
    RunComparison found =
        RunComparison.interleaved(
            RunRecord.load(folder),
            Margins.DEFAULT,
            new JudgedMetrics(Set.of(), Set.of("latency.call.p90", "latency.call.p99.9")));
    // The trials' own metrics are the same; the calls in the files are slower by half.
    for (String tail : List.of("latency.call.p90", "latency.call.p99", "latency.call.p99.9")) {
      assertThat(found.rows())
          .filteredOn(row -> row.metric().name().equals(tail))
          .hasSize(2)
          .allSatisfy(
              row ->
                  assertThat(row.comparison().ratio().value())
                      .as(tail)
                      .isCloseTo(1.5, withPercentage(15)));
    }
    assertThat(found.rows())
        .filteredOn(row -> row.outcome() == GateVerdict.REGRESSION)
        .extracting(row -> row.metric().name())
        .contains("latency.call.p99");
  }

  @Test
  void aMetricThatOneVersionLacksIsNamed() {
    RunRecord short_ = run(MadeUpExperiment.runOf(10).withoutP99().seed(2), 1);
    RunComparison found = separate(run(10, 1, 1), short_);
    assertThat(found.rows()).noneMatch(row -> row.metric().name().equals("latency.call.p99"));
    assertThat(sentences(found))
        .contains("The p99 latency of call of put is not compared: B has no value of it");
  }

  private RunComparison paused(double factor, String... further) {
    Random random = new Random(3);
    RunFolder folder =
        MadeUpExperiment.interleaved(10)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        "gc.pause",
                        Metric.lowerIsBetter(
                            10
                                * (candidate(trial) ? factor : 1)
                                * Math.exp(0.02 * random.nextGaussian()),
                            "ms")))
            .write(runs, RunComparisonTest::base);
    return RunComparison.interleaved(
        RunRecord.load(folder), MARGINS, new JudgedMetrics(Set.of(), Set.of(further)));
  }

  @Test
  void aMetricOfATelemetryDeviceIsJudgedByItsName() {
    assertThat(paused(2).outcome()).isEqualTo(GateVerdict.PASS);
    RunComparison found = paused(2, "gc.pause");
    assertThat(found.outcome()).isEqualTo(GateVerdict.REGRESSION);
    assertThat(sentences(found)).contains("the gc.pause of put in B is +");
  }

  /** Six treatments whose noise is 5 %, of which nothing differs unless a factor says so. */
  private RunComparison wide(int blocks, long seed, double putAtTwo) {
    Experiment experiment =
        Fixture.withTail(
            """
            factors: {path: [put, put-all], backups: [0, 1, 2]}
            blocks: %d
            seed: 1
            """
                .formatted(blocks));
    RunFolder folder =
        MadeUpExperiment.interleaved(experiment)
            .seed(seed)
            .noise(0.05)
            .write(
                runs,
                trial ->
                    base(trial)
                        * (candidate(trial)
                                && trial.path().equals("put")
                                && trial.settings().number("backups") == 2
                            ? putAtTwo
                            : 1));
    return RunComparison.interleaved(RunRecord.load(folder), MARGINS, JudgedMetrics.USUAL);
  }

  @Test
  void anAAComparisonOfManyRowsHasAVerdictOfBetterOrWorseInFewTables() {
    int claims = 0;
    int regressions = 0;
    for (int i = 0; i < 20; i++) {
      RunComparison found = wide(6, 1000 + i, 1);
      claims +=
          found.rows().stream()
                  .map(row -> row.comparison().verdict())
                  .anyMatch(verdict -> verdict == Verdict.BETTER || verdict == Verdict.WORSE)
              ? 1
              : 0;
      regressions += found.outcome() == GateVerdict.REGRESSION ? 1 : 0;
    }
    assertThat(claims).as("tables with a verdict").isLessThanOrEqualTo(3);
    assertThat(regressions).as("false alarms").isLessThanOrEqualTo(1);
  }

  @Test
  void aLossOf15PercentIsFoundInTenBlocksOfTwentyFourRowsAtANoiseOfFivePercent() {
    int regressions = 0;
    for (int i = 0; i < 10; i++) {
      regressions +=
          wide(10, 3000 + i, 0.85).rows().stream()
                  .filter(row -> row.outcome() == GateVerdict.REGRESSION)
                  .anyMatch(row -> row.metric().name().equals(Metric.THROUGHPUT))
              ? 1
              : 0;
    }
    assertThat(regressions).isGreaterThanOrEqualTo(9);
  }
}
