package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real grid of three servers, one of which is killed: with a backup copy, and with the defect
 * that there is none, so that what the server held is lost. So many keys are in use that a third of
 * them is certain to include one.
 */
@Tag("extended")
class ProductChaosIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: chaos
      question: Does a grid lose acknowledged writes when a server is killed?
      grid:
        driver: hazelcast
        nodes: 3
        node-heap: 256m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        chaos: chaos-registers
        faults: kill
        fault-order: listed
        fault-gap: 4s
        fault-for: 1s
        live-keys: 60
        operations-rate: 800
        common-warm-up: 0s
        warm-up: 0s
        measure: 8s
      factors:
        backups: [1, 0]
      blocks: 1
      seed: 1
      analyses: [promises]
      """;

  @TempDir Path folder;

  @Test
  void writesThatNoBackupHasAreFoundToBeLost() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(folder.resolve("chaos.yaml"), EXPERIMENT);
    Ended ended = pyrometer.run("run", "chaos.yaml");
    assertThat(ended.err()).doesNotContain("Exception");

    TrialRecord backed = trial(pyrometer, "1");
    assertThat(backed.value("faults").orElseThrow()).isEqualTo(1);
    assertThat(backed.value("checked").orElseThrow()).isPositive();
    assertThat(backed.outcome()).as(backed.why().orElse("")).isEqualTo(Outcome.OK);

    TrialRecord alone = trial(pyrometer, "0");
    assertThat(alone.outcome()).as("a loss that was not ruled out").isEqualTo(Outcome.OK);
    assertThat(Files.readString(pyrometer.runFolder().resolve("results.json")))
        .contains("chaos.not-promised");
    assertThat(Files.readString(pyrometer.runFolder().resolve("report.html")))
        .contains("No order of these operations")
        .contains("kill node-2");
  }

  private static TrialRecord trial(Pyrometer pyrometer, String backups) throws Exception {
    List<TrialRecord> trials =
        new RunFolder(pyrometer.runFolder())
            .trials().stream()
                .filter(trial -> trial.levels().get("backups").equals(backups))
                .toList();
    return trials.get(trials.size() - 1);
  }
}
