package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the disks, the clocks and the state of a cluster that stores its entries on disk. */
@Tag("extended")
class PersistentChaosIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: persistent
      question: Are operations linearizable while disks are full and the cluster is inactive?
      grid:
        driver: ignite
        nodes: 2
        region: 64m
        persistence: %s
        %s
        compiler: C1
        node-heap: 256m
        agent-heap: 128m
      workload:
        chaos: chaos-registers
        backups: 1
        read-from-backup: false
        faults: %s
        fault-order: listed
        fault-gap: 1s
        fault-for: 1s
        common-warm-up: 0s
        warm-up: 0s
        measure: %s
      blocks: 1
      seed: 1
      analyses: [promises]
      """;

  @TempDir Path folder;

  private TrialRecord measured(String persistence, String wal, String faults, String length)
      throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(
        folder.resolve("chaos.yaml"), EXPERIMENT.formatted(persistence, wal, faults, length));
    Ended ended = pyrometer.run("run", "chaos.yaml");
    assumeTrue(!ended.err().contains("run Pyrometer as root"), ended.err());
    assumeTrue(!ended.err().contains("needs libfaketime"), ended.err());
    assertThat(ended.err()).doesNotContain("Exception");
    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    TrialRecord trial = trials.get(trials.size() - 1);
    assertThat(trial.why().orElse("")).doesNotStartWith("Failed");
    return trial;
  }

  @Test
  void aClusterIsUsedAgainAfterItWasInactive() throws Exception {
    TrialRecord trial =
        measured("on", "properties: {dataStorageConfiguration.walSegments: 2}", "deactivate", "4s");
    assertThat(trial.value("faults").orElseThrow()).isGreaterThanOrEqualTo(1);
    assertThat(trial.value("unanswered").orElseThrow()).isLessThan(8);
  }

  @Test
  void noDiskIsLeftOfAServerWhoseDiskWasFull() throws Exception {
    TrialRecord trial = measured("on", "", "disk-full", "4s");
    assertThat(trial.value("faults").orElseThrow()).isGreaterThanOrEqualTo(1);
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
  }

  @Test
  void aServerWhoseClockJumpsGoesOn() throws Exception {
    TrialRecord trial = measured("off", "", "clock-jump", "5s");
    assertThat(trial.value("faults").orElseThrow()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void aGridInMemoryIsNotDeactivated() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(
        folder.resolve("chaos.yaml"), EXPERIMENT.formatted("off", "", "deactivate", "5s"));
    Ended ended = pyrometer.run("run", "chaos.yaml");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err())
        .contains(
            "the fault 'deactivate' needs a grid that stores entries on disk; write 'persistence:"
                + " on'");
  }
}
