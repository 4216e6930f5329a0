package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpExperiment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of a run of four trials. */
class ConsoleProgressTest {
  private final StringWriter text = new StringWriter();

  private ConsoleProgress progress(boolean terminal) {
    return new ConsoleProgress(new PrintWriter(text), terminal, 2);
  }

  private static Progress.Now now(int done, int trial, String what) {
    return new Progress.Now(done, 4, trial, 0, what, "warm-up", 0, 5);
  }

  @Test
  void withoutATerminalThereIsALineABlockAndNoneOfAValidTrial() {
    List<TrialRecord> made = MadeUpExperiment.runOf(2, 1).records(trial -> 1_000);
    ConsoleProgress progress = progress(false);
    progress.now(now(0, 0, "block 1"));
    made.forEach(progress::trial);
    progress.block(0, made);
    progress.block(1, made);
    assertThat(text.toString().lines())
        .containsExactly("block 1 of 2: 2 trials, 0:05 left", "block 2 of 2: 2 trials, 0:05 left");
  }

  @Test
  void theLineOfATerminalCountsWhatIsMadeWhereNoTrialIs() {
    ConsoleProgress progress = progress(true);
    progress.now(now(3, 2, "put, attempt 2"));
    progress(true).now(now(3, 0, "block 2"));
    assertThat(text.toString())
        .contains("trial 2/4, block 1, 0:05 left: put, attempt 2, warm-up", "3 of 4 ");
  }
}
