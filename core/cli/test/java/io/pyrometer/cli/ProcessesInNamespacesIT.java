package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Server nodes in network namespaces of their own, where the machine lets us make some. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class ProcessesInNamespacesIT {
  private static final double CUT_SECONDS = 2;

  @TempDir Path folder;
  private Pyrometer pyrometer = new Pyrometer(Path.of(""));

  @BeforeEach
  void makeNamespaces() throws Exception {
    BridgedNamespaces.make(2);
    pyrometer = new Pyrometer(folder);
    Files.writeString(
        folder.resolve("cut.yaml"),
        """
        pyrometer: 1
        name: cut
        question: What does a client see of a node that is cut off for two seconds?
        grid:
          driver: ignite
          nodes: 2
          region: 64m
          node-heap: 300m
          node-jvm-args: -XX:TieredStopAtLevel=1
          agent-heap: 256m
          agent-jvm-args: -XX:TieredStopAtLevel=1
        workload:
          record: stock-order
          records: 20000
          path: put
          warm-up: 0.5s
          measure: 5s
          common-warm-up: 0s
        factors:
          cut-for: [0s, 2s]
        probes: []
        blocks: 1
        hosts:
          - {name: one, command: ip netns exec pyro-1, address: 10.203.77.1, runs: nodes, folder: %1$s}
          - name: two
            command: ip netns exec pyro-2
            address: 10.203.77.2
            runs: nodes
            folder: %1$s
            cut: ip link set pyro-v2 down
            heal: ip link set pyro-v2 up
          - {name: here, address: 10.203.77.254, runs: agents}
        """
            .formatted(folder.resolve("far")));
  }

  @AfterEach
  void removeNamespaces() throws Exception {
    BridgedNamespaces.remove(2);
  }

  @Test
  void aNodeThatIsCutOffStopsTheWritesUntilItIsHealedAndNoneIsLost() throws Exception {
    Ended ended = pyrometer.run("run", "cut.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    assertThat(trials).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(trials)
        .filteredOn(trial -> trial.settings().decimal("cut-for") > 0)
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.configuration()).containsEntry("cut.hosts", "two");
              assertThat(pause(trial)).isGreaterThan(CUT_SECONDS / 2);
            });
    assertThat(trials)
        .filteredOn(trial -> trial.settings().decimal("cut-for") == 0)
        .allSatisfy(trial -> assertThat(trial.configuration()).doesNotContainKey("cut.hosts"));
  }

  private static double pause(TrialRecord trial) {
    String told = trial.configuration().getOrDefault("cut.longest-pause", "0 s");
    return Double.parseDouble(told.replace(" s", ""));
  }
}
