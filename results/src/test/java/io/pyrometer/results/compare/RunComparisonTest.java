package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.Experiment;
import io.pyrometer.experiment.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Outcome;
import io.pyrometer.results.compare.RunComparison.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private static RunComparison compared(RunRecord... records) {
    return RunComparison.of(List.of(records), MARGINS, Set.of(), false);
  }

  private static String sentences(RunComparison found) {
    return ComparisonFindings.of(found).stream()
        .map(Finding::sentence)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void anUnchangedRunPasses() {
    RunComparison found = compared(run(10, 1, 1), run(10, 1, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.PASS);
    assertThat(found.rows()).hasSize(8).allMatch(row -> row.comparison().paired());
    assertThat(sentences(found)).startsWith("No regression found in 8 comparisons.");
  }

  @Test
  void aLossIsARegressionInThroughputCpuTimeAndLatency() {
    RunComparison found = compared(run(5, 1, 1), run(5, 0.8, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.REGRESSION);
    assertThat(found.rows()).allMatch(row -> row.comparison().verdict() == Verdict.WORSE);
    assertThat(sentences(found))
        .startsWith(
            "Regression: put in B (throughput, CPU time per record, p50 latency of call, p99 latency"
                + " of call); put-all in B (")
        .contains("Regression: the throughput of put in B is −");
  }

  @Test
  void aGainIsNone() {
    RunComparison found = compared(run(5, 1, 1), run(5, 1.3, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.PASS);
    assertThat(found.rows()).allMatch(row -> row.comparison().verdict() == Verdict.BETTER);
  }

  @Test
  void fewNoisyBlocksAreNotEnoughAndItSaysHowManyAre() {
    RunComparison found =
        compared(
            run(MadeUpExperiment.runOf(3).noise(0.06).seed(1), 1),
            run(MadeUpExperiment.runOf(3).noise(0.06).seed(2), 1));
    assertThat(found.outcome()).isEqualTo(Outcome.NOT_ENOUGH_RUNS);
    assertThat(sentences(found)).contains("--blocks ");
    assertThat(Markdown.page(ComparisonPage.of(found, "x"))).contains("not enough runs (about ");
  }

  @Test
  void oneBlockIsNeverEnough() {
    RunComparison found = compared(run(1, 1, 1), run(1, 0.5, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.NOT_ENOUGH_RUNS);
    assertThat(Markdown.page(ComparisonPage.of(found, "x"))).doesNotContain("NaN");
  }

  @Test
  void unlikeEnvironmentsAreRefusedInASentenceThatNamesWhatDiffers() {
    RunRecord here = run(3, 1, 1);
    RunRecord there = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1);
    assertThatThrownBy(() -> compared(here, there))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "A and B were made in unlike environments: CPU (Test CPU and Other CPU); their figures"
                + " are not comparable. Give --anyway to compare them nevertheless.");
    RunComparison anyway = RunComparison.of(List.of(here, there), MARGINS, Set.of(), true);
    assertThat(sentences(anyway)).contains("compared nevertheless (--anyway).");
  }

  @Test
  void ofSeveralRunsTheFirstIsTheReferenceAndIntervalsAreWider() {
    RunComparison found = compared(run(10, 1, 1), run(10, 1, 2), run(10, 0.8, 3));
    assertThat(found.outcome()).isEqualTo(Outcome.REGRESSION);
    assertThat(found.rows())
        .filteredOn(row -> row.outcome() == Outcome.REGRESSION)
        .extracting(Row::candidate)
        .containsOnly(2);
    assertThat(found.rows())
        .allMatch(row -> Math.abs(row.comparison().ratio().confidence() - 0.975) < 1e-9);
  }

  @Test
  void runsOfDifferentSeedsAreNotPaired() {
    RunComparison found = compared(run(5, 1, 1), run(MadeUpExperiment.runOf(5, 7).noise(0.001), 1));
    assertThat(found.rows()).noneMatch(row -> row.comparison().paired());
    assertThat(sentences(found)).contains("A and B have different seeds");
  }

  @Test
  void aTreatmentThatNoLongerComesOutRightIsHarm() {
    RunRecord before = run(5, 1, 1);
    RunRecord after =
        RunRecord.load(
            MadeUpExperiment.runOf(5)
                .write(runs, trial -> trial.path().equals("put") ? 0 : base(trial)));
    RunComparison found = compared(before, after);
    assertThat(found.outcome()).isEqualTo(Outcome.REGRESSION);
    assertThat(sentences(found)).contains("put has valid trials in A and none in B");
    assertThat(Verdicts.cases(found).get(0).outcome()).isEqualTo(JUnitXml.Outcome.FAILED);
  }

  @Test
  void runsWithoutACommonTreatmentAreRefused() {
    RunRecord none = RunRecord.load(MadeUpExperiment.runOf(2).write(runs, trial -> Double.NaN));
    RunRecord some = run(2, 1, 1);
    assertThatThrownBy(() -> compared(some, none))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("share no treatment");
  }

  @Test
  void noiseDoesNotDecideWhatMattersButHowManyPairsItTakes() {
    RunRecord run = run(3, 1, 1);
    assertThat(Margins.found(runs, run.environment()).origin())
        .contains("the default", "is not known");
    CalibrationTest.calibration(0.05).write(runs, t -> 1e4);
    Margins found = Margins.found(runs, run.environment());
    assertThat(found.of(new NamedMetric("throughput", "records/s", Direction.HIGHER)))
        .isEqualTo(0.03);
    assertThat(found.of(new NamedMetric("latency.get.p99", "µs", Direction.LOWER))).isEqualTo(0.1);
    assertThat(found.origin()).containsPattern("takes \\d+ pairs to be found");
    RunRecord elsewhere = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1);
    assertThat(Margins.found(runs, elsewhere.environment()).origin()).contains("is not known");
  }

  /** Noise of 3 % in throughput, and of its own, 6 %, in p99. */
  private RunRecord noisy(long seed, double p99Factor) {
    Random random = new Random(seed);
    return run(
        MadeUpExperiment.runOf(10)
            .seed(seed)
            .noise(0.03)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        "latency.call.p99",
                        Metric.lowerIsBetter(
                            4_000 * p99Factor * Math.exp(0.06 * random.nextGaussian()), "µs"))),
        1);
  }

  private RunComparison byDefaults(RunRecord a, RunRecord b, String... further) {
    return RunComparison.of(
        List.of(a, b), Margins.found(runs, a.environment()), Set.of(further), false);
  }

  @Test
  void aP99RegressionOf30PercentFailsAlthoughThroughputIsUnchanged() {
    RunComparison found = byDefaults(noisy(1, 1), noisy(2, 1.3));
    assertThat(found.outcome()).isEqualTo(Outcome.REGRESSION);
    assertThat(found.rows())
        .filteredOn(row -> row.outcome() == Outcome.REGRESSION)
        .extracting(row -> row.metric().name())
        .containsExactly("latency.call.p99", "latency.call.p99");
    assertThat(sentences(found))
        .startsWith(
            "Regression: put in B (p99 latency of call); put-all in B (p99 latency of call).")
        .contains("beyond the margin of 10 %");
    assertThat(Verdicts.cases(found))
        .filteredOn(each -> each.outcome() == JUnitXml.Outcome.FAILED)
        .hasSize(2);
  }

  @Test
  void anAAComparisonWithNoisyTailsPasses() {
    int passed = 0;
    for (int pair = 0; pair < 20; pair++) {
      RunComparison found = byDefaults(noisy(100 + pair, 1), noisy(200 + pair, 1));
      assertThat(found.outcome()).isNotEqualTo(Outcome.REGRESSION);
      passed += found.outcome() == Outcome.PASS ? 1 : 0;
    }
    assertThat(passed).isGreaterThanOrEqualTo(18);
  }

  @Test
  void p999IsShownAndJudgedOnlyWhenAskedFor() {
    RunComparison found = byDefaults(noisy(1, 1), noisy(2, 1));
    assertThat(found.shown())
        .extracting(row -> row.metric().name())
        .containsOnly("latency.call.p99.9");
    assertThat(found.rows()).noneMatch(row -> row.metric().name().equals("latency.call.p99.9"));
    assertThat(byDefaults(noisy(1, 1), noisy(2, 1), "latency.call.p99.9").rows())
        .anyMatch(row -> row.metric().name().equals("latency.call.p99.9"));
    assertThatThrownBy(() -> byDefaults(noisy(1, 1), noisy(2, 1), "latency.cal.p99"))
        .isInstanceOf(RunException.class)
        .hasMessageStartingWith("No run has a metric 'latency.cal.p99'");
  }

  @Test
  void aMetricThatOneRunLacksIsNamed() {
    RunRecord short_ = run(MadeUpExperiment.runOf(10).withoutP99().seed(2), 1);
    RunComparison found = byDefaults(run(10, 1, 1), short_);
    assertThat(found.rows()).noneMatch(row -> row.metric().name().equals("latency.call.p99"));
    assertThat(sentences(found))
        .contains("The p99 latency of call of put is not compared: B has no value of it");
  }

  @Test
  void aMetricOfATelemetryDeviceIsJudgedByItsName() {
    RunRecord before = paused(1, 10);
    RunRecord after = paused(2, 20);
    assertThat(byDefaults(before, after).outcome()).isEqualTo(Outcome.PASS);
    RunComparison found = byDefaults(before, after, "gc.pause");
    assertThat(found.outcome()).isEqualTo(Outcome.REGRESSION);
    assertThat(sentences(found)).contains("the gc.pause of put in B is +");
  }

  private RunRecord paused(long seed, double millis) {
    Random random = new Random(seed);
    return run(
        MadeUpExperiment.runOf(10)
            .seed(seed)
            .metrics(
                (trial, metrics) ->
                    metrics.put(
                        "gc.pause",
                        Metric.lowerIsBetter(
                            millis * Math.exp(0.02 * random.nextGaussian()), "ms"))),
        1);
  }

  /** Six treatments whose noise is 5 %, of which nothing differs unless a factor says so. */
  private RunRecord wide(int blocks, long seed, double putAtTwo) {
    Experiment experiment =
        Fixture.withTail(
            """
            factors: {path: [put, put-all], backups: [0, 1, 2]}
            blocks: %d
            seed: 1
            """
                .formatted(blocks));
    return RunRecord.load(
        MadeUpRun.of(experiment, Fixture.CATALOGUE)
            .seed(seed)
            .noise(0.05)
            .write(
                runs,
                trial ->
                    base(trial)
                        * (trial.path().equals("put") && trial.settings().number("backups") == 2
                            ? putAtTwo
                            : 1)));
  }

  @Test
  void anAAComparisonOfManyRowsHasAVerdictOfBetterOrWorseInFewTables() {
    int claims = 0;
    int regressions = 0;
    for (int i = 0; i < 60; i++) {
      RunComparison found = compared(wide(5, 1000 + i, 1), wide(5, 2000 + i, 1));
      claims +=
          found.rows().stream()
                  .map(row -> row.comparison().verdict())
                  .anyMatch(verdict -> verdict == Verdict.BETTER || verdict == Verdict.WORSE)
              ? 1
              : 0;
      regressions += found.outcome() == Outcome.REGRESSION ? 1 : 0;
    }
    assertThat(claims).as("tables with a verdict").isLessThanOrEqualTo(6);
    assertThat(regressions).as("false alarms").isLessThanOrEqualTo(2);
  }

  @Test
  void aLossOf15PercentIsFoundInTenBlocksOfTwentyFourRowsAtANoiseOfFivePercent() {
    int regressions = 0;
    for (int i = 0; i < 10; i++) {
      RunComparison found = compared(wide(10, 3000 + i, 1), wide(10, 4000 + i, 0.85));
      regressions +=
          found.rows().stream()
                  .filter(row -> row.outcome() == Outcome.REGRESSION)
                  .anyMatch(row -> row.metric().name().equals(Metric.THROUGHPUT))
              ? 1
              : 0;
    }
    assertThat(regressions).isGreaterThanOrEqualTo(9);
  }

  @Test
  void anOutlyingTrialIsAFindingAndStaysInTheFigures() {
    RunRecord usual = run(8, 1, 1);
    assertThat(compared(usual, run(8, 1, 2)).outliers()).isEmpty();
    RunRecord slowOnce =
        RunRecord.load(
            MadeUpExperiment.runOf(8)
                .seed(2)
                .write(
                    runs,
                    trial ->
                        base(trial)
                            * (trial.block() == 3 && trial.path().equals("put") ? 0.4 : 1)));
    RunComparison found = compared(usual, slowOnce);
    assertThat(sentences(found))
        .contains("Outlying ratio of the throughput of B to A: put in block 4 gave 0.39")
        .doesNotContain("put-all in block 4");
    assertThat(found.rows())
        .filteredOn(row -> row.treatment().equals("put"))
        .allMatch(row -> row.comparison().ratio().replicates() == 8);
  }
}
