package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hosts that are network namespaces of this machine, where it lets us make some. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class NamespacesIT extends RunFixture {
  private static final double DELAY = 0.005;
  private static final double CUT_SECONDS = 2;
  private static final double RATE = 200;
  private static final List<String> AGENTS = List.of("agent-0", "agent-1", "agent-2", "agent-3");

  private static final String CLUSTER =
      """
      pyrometer: 1
      name: cluster
      question: What do slower links, and a node that is cut off, cost a write?
      grid:
        driver: ignite
        nodes: 2
        backups: 1
        region: 64m
        node-heap: 300m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      workload:
        record: stock-order
        records: 2000
        path: put
        warm-up: 0.5s
        measure: 5s
        common-warm-up: 0s
      probes: []
      blocks: 1
      """;

  private static void assumeNamespacesOfItsOwn() {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
  }

  private List<TrialRecord> run(String experiment) throws Exception {
    write("experiment.yaml", experiment);
    succeed("run", "experiment.yaml");
    assertThat(trials()).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);
    return trials();
  }

  private static String said(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aWriteWaitsForEveryLinkOnItsWayAndNothingIsLeftBehind() throws Exception {
    assumeNamespacesOfItsOwn();
    List<TrialRecord> trials =
        run(
            CLUSTER
                + """
                factors:
                  link:
                    - {label: plain, set: {link-delay: 0s}}
                    - {label: slow, set: {link-delay: 5ms}}
                    - {label: cut, set: {cut-for: 2s}}
                hosts: namespaces
                """);
    assertThat(trials)
        .allSatisfy(
            trial ->
                assertThat(trial.configuration())
                    .hasEntrySatisfying("network", words -> assertThat(words).contains("links")));
    assertThat(mean(trials, "slow"))
        .as("to the primary, from it to the backup, and back")
        .isGreaterThan(2 * DELAY)
        .isGreaterThan(mean(trials, "plain"));
    assertThat(trials)
        .filteredOn(trial -> trial.levels().containsValue("cut"))
        .allSatisfy(trial -> assertThat(pause(trial)).isGreaterThan(CUT_SECONDS / 2));
    assertThat(said("ip", "link")).doesNotContain("pyro");
    assertThat(said("pgrep", "-f", "nsenter|unshare --net")).isEmpty();
  }

  /** Seconds of a call; one thread makes one after the other. */
  private static double mean(List<TrialRecord> trials, String link) {
    return trials.stream()
        .filter(trial -> trial.levels().containsValue(link))
        .flatMap(trial -> trial.metrics().entrySet().stream())
        .filter(
            metric ->
                Metric.parseLatency(metric.getKey())
                    .filter(latency -> latency.statistic() == LatencyStatistic.MEAN)
                    .isPresent())
        .mapToDouble(metric -> metric.getValue().value() / 1e6)
        .average()
        .orElseThrow();
  }

  private static double pause(TrialRecord trial) {
    String told = trial.configuration().getOrDefault("cut.longest-pause", "0 s");
    return Double.parseDouble(told.replace(" s", ""));
  }

  private static double sum(TrialRecord trial, String prefix) {
    return AGENTS.stream().mapToDouble(agent -> trial.value(prefix + agent).orElseThrow()).sum();
  }

  private static Check check(TrialRecord trial, String name) {
    return trial.validity().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * The rate is low, so that it does not depend on the machine whether it is reached. Other work on
   * the machine may hold up the start of one trial, but not of all.
   */
  @Test
  void theTotalIsTheSumOfTheSharesOfAgentsAndTheyStartTogether() throws Exception {
    assumeNamespacesOfItsOwn();
    pyrometer = Pyrometer.withTestDrivers(folder);
    List<TrialRecord> trials =
        run(
            """
            pyrometer: 1
            name: shares
            question: Do four agents share a load?
            probes: []
            blocks: 1
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
              rate: 200
            hosts: namespaces
            factors: {records: [1000, 2000, 3000, 4000]}
            """);
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
        .as("some trial whose agents began within a second, on a busy machine too")
        .anyMatch(trial -> check(trial, Check.LATE_START).value() < 1_000);
  }
}
