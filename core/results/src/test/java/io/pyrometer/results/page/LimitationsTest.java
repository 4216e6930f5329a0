package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.TrialRecord.Check;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitationsTest {
  @TempDir Path runs;

  private List<String> sentences(List<Check> ofPut, List<Check> ofOthers) {
    RunRecord run =
        RunRecord.load(
            MadeUpExperiment.runOf(3)
                .validity(trial -> trial.path().equals("put") ? ofPut : ofOthers)
                .write(runs, trial -> 1_000));
    return Limitations.of(run).stream().map(Finding::sentence).toList();
  }

  private static Check check(String name, boolean disturbed) {
    return new Check(name, 7, 5, "%", disturbed);
  }

  @Test
  void onlyDisturbedTrialsAreCountedAndOnlyTheChecksThatDisturbedThemNamed() {
    assertThat(
            sentences(
                List.of(check(Check.STEAL, true), check(Check.OTHER_PROCESSES, false)),
                List.of(check(Check.STEAL, false), check("client CPU", true))))
        .contains("3 of 6 trials were disturbed by the machine: " + Check.STEAL + ".");
  }

  @Test
  void trialsWithinAllLimitsAreNotMentioned() {
    assertThat(sentences(List.of(check(Check.STEAL, false)), List.of()))
        .noneMatch(sentence -> sentence.contains("disturbed by the machine"));
  }
}
