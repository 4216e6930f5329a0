package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Namespaces that Pyrometer makes itself, with shaped links, where the machine lets it. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class LinksIT {
  private static final double DELAY = 0.005;
  private static final double CUT_SECONDS = 2;

  @TempDir Path folder;

  private static String said(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aWriteWaitsForEveryLinkOnItsWayAndNothingIsLeftBehind() throws Exception {
    assumeTrue(
        Namespaces.lacking(NamespaceCommands.SYSTEM).isEmpty(),
        () -> Namespaces.lacking(NamespaceCommands.SYSTEM).orElseThrow());
    Pyrometer pyrometer = new Pyrometer(folder);
    Files.writeString(
        folder.resolve("slow.yaml"),
        """
        pyrometer: 1
        name: slow
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
        factors:
          link:
            - {label: plain, set: {link-delay: 0s}}
            - {label: slow, set: {link-delay: 5ms}}
            - {label: cut, set: {cut-for: 2s}}
        probes: []
        blocks: 1
        hosts: namespaces
        """);
    Ended ended = pyrometer.run("run", "slow.yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    List<TrialRecord> trials = new RunFolder(pyrometer.runFolder()).trials();
    assertThat(trials).allMatch(trial -> trial.outcome() == Outcome.OK);
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
}
