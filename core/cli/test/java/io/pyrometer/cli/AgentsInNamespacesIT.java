package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Four agents in four namespaces drive one trial. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class AgentsInNamespacesIT {
  private static final double RATE = 200;
  private static final List<String> AGENTS = List.of("agent-0", "agent-1", "agent-2", "agent-3");

  @TempDir Path folder;

  private static double sum(TrialRecord trial, String prefix) {
    return AGENTS.stream().mapToDouble(agent -> trial.value(prefix + agent).orElseThrow()).sum();
  }

  private static Check check(TrialRecord trial, String name) {
    return trial.validity().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private List<TrialRecord> run(String load, String hosts) throws Exception {
    Pyrometer pyrometer = Pyrometer.withTestDrivers(folder);
    Files.writeString(
        folder.resolve("shares.yaml"),
        """
        pyrometer: 1
        name: shares
        question: Do four agents share a load?
        grid:
          driver: native-test
          nodes: 1
          agents: 4
          node-jvm-args: -XX:TieredStopAtLevel=1
          agent-heap: 128m
          agent-jvm-args: -XX:TieredStopAtLevel=1
          memory: 48m
        workload:
          record: stock-order
          path: put
          warm-up: 1s
          measure: 4s
          common-warm-up: 1s
        """
            + load.indent(2)
            + "blocks: 1\nprobes: []\nhosts:"
            + hosts);
    Ended ended = pyrometer.run("run", "shares.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    assertThat(trials).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);
    return trials;
  }

  /**
   * The rate is low, so that it does not depend on the machine whether it is reached. Other work on
   * the machine may hold up the start of one trial, but not of all.
   */
  @Test
  void theTotalIsTheSumOfTheirSharesAndTheyStartTogether() throws Exception {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
    List<TrialRecord> trials =
        run("rate: 200", " namespaces\nfactors: {records: [1000, 2000, 3000, 4000]}\n");
    assertThat(trials)
        .allSatisfy(
            trial -> {
              for (String agent : AGENTS) {
                assertThat(trial.value(Metric.OFFERED_RATE_OF + agent).orElseThrow())
                    .isCloseTo(RATE / AGENTS.size(), withinPercentage(2));
              }
              assertThat(sum(trial, Metric.OFFERED_RATE_OF)).isCloseTo(RATE, withinPercentage(1));
              assertThat(sum(trial, Metric.THROUGHPUT_OF))
                  .isCloseTo(trial.throughput().orElseThrow(), withinPercentage(1e-6));
              List<Double> starts =
                  AGENTS.stream()
                      .map(agent -> trial.value(Metric.START_OF + agent).orElseThrow())
                      .toList();
              assertThat(Collections.min(starts)).isZero();
              Check late = check(trial, Check.LATE_START);
              assertThat(late.value()).isEqualTo(Collections.max(starts));
              assertThat(late.disturbed()).isEqualTo(late.value() > late.limit());
            });
    assertThat(trials)
        .as("some trial in which no agent was late")
        .anyMatch(trial -> !check(trial, Check.LATE_START).disturbed());
  }

  /** Its link lets a small part of the packets through that the others send. */
  @Test
  void aSlowAgentIsNamed() throws Exception {
    int namespaces = AGENTS.size() + 1;
    BridgedNamespaces.make(namespaces);
    try {
      String slow =
          "tc -n pyro-5 qdisc add dev eth0 root tbf rate 100kbit burst 2000 latency 400ms";
      assumeTrue(OneUserOfNamespaces.exitCode(slow) == 0, "this machine does not let us: " + slow);
      StringBuilder hosts = new StringBuilder("\n");
      for (int i = 1; i <= namespaces; i++) {
        hosts.append(
            "- {command: ip netns exec pyro-%d, address: %s, runs: %s, folder: %s, java: %s}\n"
                .formatted(
                    i,
                    BridgedNamespaces.address(i),
                    i == 1 ? "nodes" : "agents",
                    folder,
                    Path.of(System.getProperty("java.home"), "bin", "java")));
      }
      assertThat(run("records: 2000", hosts.toString()))
          .allSatisfy(
              trial -> {
                Check slowest = check(trial, Check.SLOWEST_RATE);
                assertThat(slowest.disturbed()).isTrue();
                assertThat(slowest.words()).isEqualTo("slowest rate of agent-3");
              });
    } finally {
      BridgedNamespaces.remove(namespaces);
    }
  }
}
