package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real servers, one of which is killed and comes back while the history is recorded. */
class ChaosIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: chaos
      question: Are operations linearizable while a server is killed?
      grid:
        driver: ignite
        nodes: 3
        region: 64m
        node-heap: 256m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        chaos: chaos-registers
        backups: 1
        read-from-backup: false
        faults: kill
        fault-order: listed
        fault-gap: 1s
        fault-for: 1s
        common-warm-up: 0s
        warm-up: 0s
        measure: 3s
      blocks: 1
      seed: 1
      analyses: [promises]
      """;

  @TempDir Path folder;

  @Test
  void theHistoryOfAGridWithAKilledServerIsRecordedAndChecked() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(folder.resolve("chaos.yaml"), EXPERIMENT);
    Process process = pyrometer.start("run", "chaos.yaml");
    Set<ProcessHandle> workers = new TreeSet<>();
    Pyrometer.await(
        "the end of the run",
        () -> {
          workers.addAll(Pyrometer.workers(process));
          return !process.isAlive();
        });
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).doesNotContain("Exception");
    assertThat(workers)
        .as("three servers, one more in place of the killed one, and an agent")
        .hasSizeGreaterThanOrEqualTo(5);
    for (ProcessHandle worker : workers) {
      worker.onExit().get(60, TimeUnit.SECONDS);
    }

    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    assertThat(trials).isNotEmpty();
    TrialRecord trial = trials.get(trials.size() - 1);
    assertThat(trial.why().orElse("")).doesNotStartWith("Failed");
    assertThat(trial.value("faults").orElseThrow()).isEqualTo(1);
    assertThat(trial.value("checked").orElseThrow()).isPositive();
    Path history = artefact(pyrometer, trial, "history");
    assertThat(Files.readString(history))
        .contains("\"type\":\"invoke\"", "\"type\":\"ok\"", "\"f\":\"cas\"");
    String summary = Files.readString(artefact(pyrometer, trial, "chaos"));
    if (trial.outcome() == Outcome.OK) {
      assertThat(Files.readString(pyrometer.runFolder().resolve("results.json")))
          .contains("chaos.promise-kept");
    } else {
      assertThat(trial.outcome()).isEqualTo(Outcome.WRONG);
      assertThat(summary).contains("No order of these operations");
    }
    assertThat(summary).contains("kill node-2");
  }

  private static Path artefact(Pyrometer pyrometer, TrialRecord trial, String kind)
      throws Exception {
    return pyrometer
        .runFolder()
        .resolve(
            trial.artefacts().stream()
                .filter(artefact -> artefact.kind().equals(kind))
                .findFirst()
                .orElseThrow()
                .file());
  }
}
