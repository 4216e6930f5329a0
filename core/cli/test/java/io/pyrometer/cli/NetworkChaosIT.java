package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Four real servers in namespaces, whose network, CPU time or heap is taken away for a second. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class NetworkChaosIT {
  private static final List<String> FAULTS =
      List.of(
          "starve node-3",
          "heap node-3",
          "read-only",
          "slow-link node-3",
          "duplicate",
          "reorder",
          "corrupt",
          "bridge",
          "ring");

  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: chaos
      question: Are operations linearizable while a network is in disorder?
      hosts: namespaces
      grid:
        driver: ignite
        nodes: 4
        region: 64m
        node-heap: 256m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        chaos: chaos-registers
        backups: 1
        read-from-backup: false
        faults: [starve, heap, read-only, slow-link, duplicate, reorder, corrupt, bridge, ring]
        fault-order: listed
        fault-gap: 1s
        fault-for: 1s
        common-warm-up: 0s
        warm-up: 0s
        measure: 100s
      blocks: 1
      seed: 1
      analyses: [promises]
      """;

  @TempDir Path folder;

  @Test
  void shortDisordersAreHealedAndBreakNoPromise() throws Exception {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(folder.resolve("chaos.yaml"), EXPERIMENT);
    Ended ended = pyrometer.run("run", "chaos.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).as(ended.out()).isZero();

    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    TrialRecord trial = trials.get(trials.size() - 1);
    assertThat(trial.outcome()).as(trial.why().orElse("")).isEqualTo(Outcome.OK);
    assertThat(trial.value("faults").orElseThrow()).isGreaterThanOrEqualTo(FAULTS.size());
    assertThat(trial.value("checked").orElseThrow()).isPositive();
    String chaos =
        trial.artefacts().stream()
            .filter(artefact -> artefact.kind().equals("chaos"))
            .findFirst()
            .orElseThrow()
            .file();
    assertThat(Files.readString(pyrometer.runFolder().resolve(chaos)))
        .contains(FAULTS.stream().map(fault -> "\"" + fault).toList());
  }
}
