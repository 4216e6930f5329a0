package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ProbeResult;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A path whose calls never end fails its own trials, and nobody else's. */
class HangingIT extends RunFixture {
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
        common-warm-up: 0.3s
        drain-timeout: 1s
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      factors:
        path: [put, stuck, put-async]
      blocks: 1
      """;

  @Tag("extended")
  @Test
  void aPathThatHangsFailsItsTrialAndTheRunGoesOn() throws Exception {
    write("hanging.yaml", EXPERIMENT);
    Ended ended = pyrometer.run("run", "hanging.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out().replaceAll("\\s+", " "))
        .containsPattern(
            "Exit code 1: 1 of 3 trials failed or failed verification \\(stuck: .* did not complete"
                + " within 1 s.*\\)\\. $");
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
}
