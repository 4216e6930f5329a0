package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialPageTest {
  @TempDir Path runs;

  private RunFolder run() {
    return MadeUpExperiment.runOf(2).write(runs, trial -> 1_000);
  }

  private static Page page(RunFolder folder, TrialRecord trial) {
    RunRecord run = RunRecord.load(folder);
    return new TrialPage(run, TrialPage.attempts(run, trial.id())).page();
  }

  private static Section section(Page page, String id) {
    return page.sections().stream().filter(s -> s.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void bothAttemptsAreThereAndOneCounts() {
    RunFolder folder = run();
    TrialRecord first = folder.trials().get(1);
    MadeUpRun.append(folder, MadeUpRun.again(first, 2));
    Page page = page(folder, first);
    assertThat(section(page, "attempts").figures().get(0).table().rows())
        .extracting(row -> row.get(1))
        .containsExactly("yes", "no: equal quality; the first attempt is kept");
    assertThat(page.answer()).hasSize(2);
    assertThat(page.answer())
        .extracting(Finding::id)
        .containsExactly("trial.attempt-counts", "trial.attempt-does-not-count");
    assertThat(section(page, "time").figures().get(0).table().rows()).hasSize(2);
  }

  @Test
  void aTrialCanBeNamedByItsNumberInThePlan() {
    RunFolder folder = run();
    TrialRecord third = folder.trials().get(2);
    String number = String.valueOf(third.ordinal() + 1);
    assertThat(TrialPage.write(folder, number))
        .exists()
        .hasFileName("trial-" + third.id() + ".html");
  }

  @Test
  void theLogsOfItsBlockAreLinkedAndNoOthers() throws Exception {
    RunFolder folder = run();
    TrialRecord trial = folder.trials().get(0);
    Files.writeString(folder.file("logs/block-1-start-1-node-0.log"), "line\n");
    Files.writeString(folder.file("logs/block-1-start-1-agent-0.log"), "");
    Files.writeString(folder.file("logs/block-2-start-1-node-0.log"), "other\n");
    Page page = page(folder, trial);
    assertThat(section(page, "files").figures().get(0).table().rows())
        .extracting(row -> row.get(3))
        .containsExactly("logs/block-1-start-1-agent-0.log", "logs/block-1-start-1-node-0.log");
  }

  @Test
  void anUnknownTrialIsOneSentence() {
    RunFolder folder = run();
    assertThatThrownBy(() -> TrialPage.write(folder, "nothing"))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(folder.trials().get(0).id());
  }
}
