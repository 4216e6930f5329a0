package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ProbeResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path whose calls never end fails its own trials, and nobody else's. */
class HangingIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: hanging
      question: Does a run outlive a path that hangs?
      grid: {driver: "null"}
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.2s
        measure: 0.3s
        common-warm-up: %s
        drain-timeout: 1s
        agent-heap: 128m
      factors:
        path: [put, stuck, put-async]
      blocks: 1
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0.3s"})
  void aPathThatHangsFailsItsTrialAndTheRunGoesOn(String commonWarmUp) throws Exception {
    Files.writeString(folder.resolve("hanging.yaml"), EXPERIMENT.formatted(commonWarmUp));
    Pyrometer pyrometer = new Pyrometer(folder);
    Ended ended = pyrometer.run("run", "hanging.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isEqualTo(1);
    RunFolder run = new RunFolder(pyrometer.runFolder());
    List<TrialRecord> stuck =
        run.trials().stream().filter(t -> t.settings().text("path").equals("stuck")).toList();
    assertThat(stuck).extracting(TrialRecord::attempt).containsExactly(1, 2);
    assertThat(stuck)
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.FAILED);
              assertThat(trial.why().orElseThrow())
                  .contains("Calls of 'stuck' did not complete within 1 s");
            });
    assertThat(run.trials())
        .filteredOn(trial -> trial.outcome() == Outcome.OK)
        .extracting(trial -> trial.settings().text("path"))
        .contains("put", "put-async");
    assertThat(run.probes())
        .extracting(ProbeResult::path)
        .containsExactlyInAnyOrder("put", "put-async");
    assertThat(run.probes())
        .allSatisfy(probe -> assertThat(probe.found().orElseThrow().staleOrLost()).isZero());
  }

  @Test
  void probesThatWereNotMadeYetAreMadeByResume() throws Exception {
    Files.writeString(folder.resolve("hanging.yaml"), EXPERIMENT.formatted("0s"));
    Pyrometer pyrometer = new Pyrometer(folder);
    pyrometer.run("run", "hanging.yaml", "--set", "path=put,put-async");
    Path journal = pyrometer.runFolder().resolve("journal.jsonl");
    List<String> trials =
        Files.readAllLines(journal).stream().filter(l -> !l.startsWith("{\"probe\"")).toList();
    Files.write(journal, trials);
    RunFolder run = new RunFolder(pyrometer.runFolder());
    assertThat(run.probes()).isEmpty();
    Ended ended = pyrometer.run("resume", pyrometer.runFolder().getFileName().toString());
    assertThat(ended.code()).isZero();
    assertThat(run.probes()).hasSize(2);
    assertThat(run.trials()).hasSize(trials.size());
  }
}
