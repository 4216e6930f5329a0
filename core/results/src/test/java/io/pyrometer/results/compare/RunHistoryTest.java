package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.RunException;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {

  @TempDir Path runs;

  private MadeUpRun day(int day) {
    return MadeUpExperiment.runOf(3).seed(day).begun("2026-11-%02dT10:00:00Z".formatted(day));
  }

  private void days(int from, int to, double throughput) {
    for (int day = from; day <= to; day++) {
      day(day).write(runs, t -> t.path().equals("put") ? throughput : 5000);
    }
  }

  private RunHistory history() {
    return RunHistory.of(runs, Optional.of("made-up"), Set.of());
  }

  @Test
  void aLastingLossIsDatedAndTheOtherTreatmentDidNotChange() {
    days(1, 8, 1000);
    days(9, 16, 850);
    RunHistory history = history();
    assertThat(history.runs()).hasSize(16);
    assertThat(history.findings())
        .extracting(Finding::sentence)
        .anyMatch(s -> s.startsWith("From 20261109-100000 on the throughput of put is −1"))
        .anyMatch(s -> s.startsWith("From 20261109-100000 on the CPU time per record of put is +1"))
        .anyMatch(s -> s.startsWith("From 20261109-100000 on the p99 latency of call of put is +1"))
        .anyMatch(
            s -> s.startsWith("No lasting change by 5 % or more was found in 4 other figures"))
        .hasSize(5);
    assertThat(Markdown.page(history.page("x")))
        .contains("| put | 16 |", "| put-all | 16 |", "20261109-100000 −1");
  }

  @Test
  void fewRunsShowNoChangeAndItSaysSo() {
    days(1, 3, 1000);
    assertThat(history().findings())
        .extracting(Finding::sentence)
        .containsExactly(
            "A history of 3 runs is too short to show a change; at least 4 runs are needed.");
  }

  @Test
  void runsOfOtherMachinesAreLeftOutAndCounted() {
    day(1).on("Other CPU").write(runs, t -> 1);
    days(2, 6, 1000);
    RunHistory history = history();
    assertThat(history.runs()).hasSize(5);
    assertThat(history.findings())
        .extracting(Finding::sentence)
        .anyMatch(s -> s.startsWith("1 run is left out, as made on another machine"));
  }

  @Test
  void theNewestRunsExperimentIsTheUsualOne() {
    days(1, 2, 1000);
    assertThat(RunHistory.of(runs, Optional.empty(), Set.of()).experiment()).isEqualTo("made-up");
  }

  @Test
  void anExperimentWithoutRunsIsSaidInASentence() {
    days(1, 1, 1000);
    assertThatThrownBy(() -> RunHistory.of(runs, Optional.of("other"), Set.of()))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("There is no run of 'other' in")
        .hasMessageContaining("there are runs of made-up.");
    assertThatThrownBy(() -> RunHistory.of(runs.resolve("none"), Optional.empty(), Set.of()))
        .isInstanceOf(RunException.class)
        .hasMessageStartingWith("There are no runs in");
  }
}
