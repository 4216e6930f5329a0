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
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Four agents in four namespaces drive one trial, whose rate they share. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class AgentsInNamespacesIT {
  private static final double RATE = 200;
  private static final List<String> AGENTS = List.of("agent-0", "agent-1", "agent-2", "agent-3");

  @TempDir Path folder;

  private static double sum(TrialRecord trial, String prefix) {
    return AGENTS.stream().mapToDouble(agent -> trial.value(prefix + agent).orElseThrow()).sum();
  }

  /** The rate is low, so that it does not depend on the machine whether it is reached. */
  @Test
  void theTotalIsTheSumOfTheirSharesAndTheirStartsAreTold() throws Exception {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
    Pyrometer pyrometer = Pyrometer.withTestDrivers(folder);
    Files.writeString(
        folder.resolve("shares.yaml"),
        """
        pyrometer: 1
        name: shares
        question: Do four agents share a rate?
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
          records: 2000
          path: put
          rate: 200
          warm-up: 1s
          measure: 4s
          common-warm-up: 1s
        blocks: 1
        probes: []
        hosts: namespaces
        """);
    Ended ended = pyrometer.run("run", "shares.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    TrialRecord trial = new RunFolder(pyrometer.runFolder()).trials().get(0);
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    for (String agent : AGENTS) {
      assertThat(trial.value(Metric.OFFERED_RATE_OF + agent).orElseThrow())
          .isCloseTo(RATE / AGENTS.size(), withinPercentage(2));
    }
    assertThat(sum(trial, Metric.OFFERED_RATE_OF)).isCloseTo(RATE, withinPercentage(1));
    assertThat(sum(trial, Metric.THROUGHPUT_OF))
        .isCloseTo(trial.throughput().orElseThrow(), withinPercentage(1e-6));
    assertThat(trial.validity()).extracting(check -> check.name()).contains(Check.SLOWEST_RATE);
    // A clock that could not be read within 10 ms leaves an agent's start unknown.
    assertThat(
            AGENTS.stream()
                .flatMap(agent -> trial.value(Metric.START_OF + agent).stream())
                .min(Comparator.naturalOrder())
                .orElse(0.0))
        .as("the first of those that are known")
        .isZero();
  }
}
