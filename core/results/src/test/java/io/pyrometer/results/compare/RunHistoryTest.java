package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.journal.RunException;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void everyTreatmentIsInTheTableAndInTheCsv() throws Exception {
    days(1, 2, 1000);
    days(3, 4, 500);
    RunHistory history = history();
    assertThat(history.runs()).hasSize(4);
    assertThat(RunHistory.of(runs, Optional.empty(), Set.of()).experiment()).isEqualTo("made-up");
    Path csv = runs.resolve("made-up.csv");
    history.writeCsv(csv);
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines).hasSize(5);
    List<String> header = List.of(lines.get(0).split(",", -1));
    assertThat(header)
        .startsWith("time", "commit", "run")
        .contains("put throughput", "put-all latency.call.p99")
        .hasSize(11);
    int throughput = header.indexOf("put throughput");
    assertThat(lines.get(1)).startsWith("2026-11-01T10:00:00Z,");
    double first = Double.parseDouble(lines.get(1).split(",", -1)[throughput]);
    double last = Double.parseDouble(lines.get(4).split(",", -1)[throughput]);
    assertThat(last / first).isBetween(0.4, 0.6);
    assertThat(history.findings(csv))
        .extracting(Finding::id)
        .containsExactly("history.largest-change", "history.change-points");
    assertThat(Markdown.page(history.page("x", csv)))
        .contains("throughput, records/s | put | 4 |", "| put-all | 4 |");
    Figure chart = history.page("x", csv).sections().get(0).figures().get(1);
    assertThat(chart.chart().orElseThrow().series().get(0).points())
        .extracting(point -> String.valueOf(point.get(0)).substring(0, 10))
        .containsExactly("2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04");
    assertThat(chart.table().rows()).hasSize(4).allMatch(row -> row.size() == 3);
  }

  @Test
  void runsOfOtherMachinesAreLeftOutAndCounted() {
    day(1).on("Other CPU").write(runs, t -> 1);
    days(2, 6, 1000);
    RunHistory history = history();
    assertThat(history.runs()).hasSize(5);
    assertThat(history.elsewhere()).isEqualTo(1);
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
