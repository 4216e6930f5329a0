package io.pyrometer.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.lab.MadeUpExperiment;
import io.pyrometer.lab.MadeUpRun;
import io.pyrometer.lab.compare.RunComparison.Row;
import io.pyrometer.lab.journal.RunException;
import io.pyrometer.lab.outcome.RunRecord;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.JUnitXml;
import io.pyrometer.report.Markdown;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunComparisonTest {
  private static final Margins MARGINS = Margins.given(0.03);

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
    return RunComparison.of(List.of(records), MARGINS, false);
  }

  private static String sentences(RunComparison found) {
    return ComparisonFindings.of(found).stream()
        .map(Finding::sentence)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void theSameIsNoHarm() {
    RunComparison found = compared(run(10, 1, 1), run(10, 1, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.PASS);
    assertThat(found.rows()).hasSize(4).allMatch(row -> row.comparison().paired());
    assertThat(sentences(found)).startsWith("No relevant harm in 4 comparisons.");
  }

  @Test
  void aLossIsHarmInThroughputAndInCpuTime() {
    RunComparison found = compared(run(5, 1, 1), run(5, 0.8, 2));
    assertThat(found.outcome()).isEqualTo(Outcome.HARM);
    assertThat(found.rows()).allMatch(row -> row.comparison().verdict() == Verdict.WORSE);
    assertThat(sentences(found))
        .startsWith("Harm: put in B, put-all in B.")
        .contains("The throughput of put in B is typically −");
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
            "A and B were made in unlike environments: CPU (Test CPU and Other CPU); figures of"
                + " both cannot be set side by side, unless you say --anyway.");
    RunComparison anyway = RunComparison.of(List.of(here, there), MARGINS, true);
    assertThat(sentences(anyway)).contains("compared anyway, as asked for.");
  }

  @Test
  void ofSeveralRunsTheFirstIsTheReferenceAndIntervalsAreWider() {
    RunComparison found = compared(run(10, 1, 1), run(10, 1, 2), run(10, 0.8, 3));
    assertThat(found.outcome()).isEqualTo(Outcome.HARM);
    assertThat(found.rows())
        .filteredOn(row -> row.outcome() == Outcome.HARM)
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
    assertThat(found.outcome()).isEqualTo(Outcome.HARM);
    assertThat(sentences(found)).contains("put came out right in A, and no trial of it does in B");
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
    assertThat(Margins.found(runs, run.environment()).origin()).contains("the default");
    RunRecord.load(CalibrationTest.calibration(0.05).write(runs, t -> 1e4));
    Margins found = Margins.found(runs, run.environment());
    assertThat(found.of(Metric.THROUGHPUT)).isEqualTo(0.03);
    assertThat(found.origin()).containsPattern("takes \\d+ pairs to be found");
    RunRecord elsewhere = run(MadeUpExperiment.runOf(3).on("Other CPU"), 1);
    assertThat(Margins.found(runs, elsewhere.environment()).origin()).contains("is not known");
  }
}
