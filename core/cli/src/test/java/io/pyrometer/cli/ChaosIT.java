package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real servers under faults, while the history of operations is recorded and checked. */
class ChaosIT extends RunFixture {
  private static final String NO_ORDER = Messages.format("chaos.no-order").split(" %s", -1)[0];
  private static final String GRID =
      """
      pyrometer: 1
      name: chaos
      question: Does a grid keep its promises under faults?
      blocks: 1
      seed: 1
      analyses: [promises]
      grid:
        node-heap: 256m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      """;

  private static final String WORKLOAD =
      """
      workload:
        chaos: chaos-registers
        fault-order: listed
        fault-for: 1s
        common-warm-up: 0s
        warm-up: 0s
      """;

  private void experiment(String grid, String workload) throws Exception {
    write("chaos.yaml", GRID + grid.indent(2) + WORKLOAD + workload.indent(2));
  }

  private void ignite(String grid, String faults, String measure) throws Exception {
    experiment(
        "driver: ignite\nregion: 64m\npartitions: 16\n" + grid,
        "backups: 1\nread-from-backup: false\nfault-gap: 1s\nfaults: %s\nmeasure: %s"
            .formatted(faults, measure));
  }

  private TrialRecord measured() throws Exception {
    Ended ended = pyrometer.run("run", "chaos.yaml");
    assumeTrue(!ended.err().contains("run Pyrometer as root"), ended.err());
    assumeTrue(!ended.err().contains("needs libfaketime"), ended.err());
    assertThat(ended.err()).doesNotContain("Exception");
    TrialRecord trial = lastTrial();
    assertThat(trial.why().orElse("")).doesNotStartWith("Failed");
    assertThat(trial.value("faults").orElseThrow()).isPositive();
    assertThat(trial.value("checked").orElseThrow()).isPositive();
    return trial;
  }

  @Test
  void theHistoryOfAGridWithAKilledServerIsRecordedAndChecked() throws Exception {
    ignite("nodes: 2", "kill", "3s");
    Process process = pyrometer.start("run", "chaos.yaml");
    Set<ProcessHandle> workers = new TreeSet<>();
    Pyrometer.await(
        "the end of the first trial",
        () -> {
          workers.addAll(Pyrometer.workers(process));
          return pyrometer.journalLines() >= 1 || !process.isAlive();
        });
    // A trial that was disturbed would be repeated, which takes its time and shows nothing new.
    process.destroy();
    assertThat(pyrometer.end(process).err()).doesNotContain("Exception");
    assertThat(workers)
        .as("two servers, one more in place of the killed one, and an agent")
        .hasSizeGreaterThanOrEqualTo(4);
    awaitEnd(workers);
    assertThat(Pyrometer.execute("report", pyrometer.runFolder().toString()).err()).isEmpty();

    TrialRecord trial = trials().get(0);
    assertThat(trial.why().orElse("")).doesNotStartWith("Failed");
    assertThat(trial.value("faults").orElseThrow()).isEqualTo(1);
    assertThat(trial.value("checked").orElseThrow()).isPositive();
    assertThat(artefact(trial, "history"))
        .contains("\"type\":\"invoke\"", "\"type\":\"ok\"", "\"f\":\"cas\"");
    String summary = artefact(trial, "chaos");
    if (trial.outcome() == Outcome.OK) {
      assertThat(pyrometer.runFolder().resolve("results.json"))
          .content()
          .contains("chaos.promise-kept");
    } else {
      assertThat(trial.outcome()).isEqualTo(Outcome.WRONG);
      assertThat(summary).contains(NO_ORDER);
    }
    assertThat(summary).contains("kill node-1");
  }

  /** So many keys are in use that a third of them is certain to include one. */
  @Tag("extended")
  @Test
  void writesThatNoBackupHasAreFoundToBeLost() throws Exception {
    experiment(
        "driver: hazelcast\nnodes: 3",
        "faults: kill\nfault-gap: 4s\nlive-keys: 60\noperations-rate: 800\nmeasure: 8s");
    write("chaos.yaml", pyrometer.text("chaos.yaml") + "factors:\n  backups: [1, 0]\n");
    assertThat(pyrometer.run("run", "chaos.yaml").err()).doesNotContain("Exception");
    TrialRecord backed = trialWithBackups("1");
    assertThat(backed.value("faults").orElseThrow()).isEqualTo(1);
    assertThat(backed.value("checked").orElseThrow()).isPositive();
    assertThat(backed.outcome()).as(backed.why().orElse("")).isEqualTo(Outcome.OK);
    assertThat(trialWithBackups("0").outcome())
        .as("a loss that was not ruled out")
        .isEqualTo(Outcome.OK);
    Path run = pyrometer.runFolder();
    assertThat(run.resolve("results.json")).content().contains("chaos.not-promised");
    assertThat(run.resolve("report.html")).content().contains(NO_ORDER, "kill node-2");
  }

  private TrialRecord trialWithBackups(String backups) throws Exception {
    List<TrialRecord> of =
        trials().stream().filter(trial -> trial.levels().containsValue(backups)).toList();
    return of.get(of.size() - 1);
  }

  /** The network, the CPU time or the heap of a server is taken away for a second. */
  @Tag("extended")
  @ExtendWith(OneUserOfNamespaces.class)
  @Test
  void shortDisordersAreHealedAndBreakNoPromise() throws Exception {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
    List<String> faults =
        List.of(
            "starve",
            "heap",
            "read-only",
            "slow-link",
            "duplicate",
            "reorder",
            "corrupt",
            "bridge",
            "ring");
    ignite("nodes: 4", faults.toString(), "100s");
    write("chaos.yaml", pyrometer.text("chaos.yaml") + "hosts: namespaces\n");
    TrialRecord trial = measured();
    assertThat(trial.outcome()).as(trial.why().orElse("")).isEqualTo(Outcome.OK);
    assertThat(trial.value("faults").orElseThrow()).isGreaterThanOrEqualTo(faults.size());
    assertThat(artefact(trial, "chaos"))
        .contains("\"starve node-3", "\"heap node-3", "\"slow-link node-3")
        .contains(faults.stream().map(fault -> "\"" + fault).toList());
  }

  @Tag("extended")
  @ParameterizedTest
  @CsvSource({"on, disk-full, 4s", "off, clock-jump, 5s"})
  void aServerOutlivesAFaultOfItsDiskOrClock(String persistence, String fault, String measure)
      throws Exception {
    ignite("nodes: 2\npersistence: " + persistence, fault, measure);
    TrialRecord unused = measured();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
  }

  @Tag("extended")
  @Test
  void aClusterIsUsedAgainAfterItWasInactive() throws Exception {
    ignite(
        "nodes: 2\npersistence: on\nproperties: {dataStorageConfiguration.walSegments: 2}",
        "deactivate",
        "4s");
    assertThat(measured().value("unanswered").orElseThrow()).isLessThan(8);
  }
}
