package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.run.Progress;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of a run of four trials. */
class ConsoleProgressTest {
  private final StringWriter text = new StringWriter();

  private ConsoleProgress progress(boolean terminal) {
    return new ConsoleProgress(
        new PrintWriter(text),
        terminal,
        2,
        soFar -> {
          throw new AssertionError("no block ends here");
        });
  }

  private static Progress.Now now(int done, int trial, String what) {
    return new Progress.Now(done, 4, trial, 0, what, "warm-up", 0, 5);
  }

  /**
   * Of 'put, block 1, attempt 2' after all trials of the block it is not the number of the next.
   */
  @Test
  void aRepeatedTrialHasItsOwnNumber() {
    List<TrialRecord> made = MadeUpExperiment.runOf(2, 1).records(trial -> 1_000);
    ConsoleProgress progress = progress(false);
    progress.now(now(2, 2, "put, attempt 2"));
    progress.trial(MadeUpRun.again(made.get(1), 2));
    progress.trial(made.get(2));
    assertThat(text.toString())
        .startsWith("trial 2/4: ")
        .containsPattern("trial 2/4: .*, block 1, attempt 2: ")
        .containsPattern("trial 3/4: .*, block 2: ");
  }

  @Test
  void withoutATerminalEachStartSaysOnceHowLongTheRestTakes() {
    ConsoleProgress progress = progress(false);
    progress.now(now(0, 0, "block 1"));
    progress.now(now(0, 0, "block 1"));
    progress.now(now(0, 1, "put"));
    progress.now(now(2, 0, "block 2"));
    assertThat(text.toString().lines())
        .containsExactly("block 1: warm-up, 0:05 left", "block 2: warm-up, 0:05 left");
  }

  @Test
  void theLineOfATerminalCountsWhatIsMadeWhereNoTrialIs() {
    ConsoleProgress progress = progress(true);
    progress.now(now(3, 2, "put, attempt 2"));
    progress(true).now(now(3, 0, "block 2"));
    assertThat(text.toString())
        .contains("trial 2/4, block 1: put, attempt 2, warm-up", "3 of 4 trials made, block 1: ");
  }
}
