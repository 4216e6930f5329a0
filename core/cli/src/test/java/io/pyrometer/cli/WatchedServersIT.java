package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the servers of others use is measured, at their JMX ports or as processes. */
@Tag("extended")
class WatchedServersIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: theirs
      question: What does a record cost their servers?
      grid:
        driver: ignite
        attach: "%s"
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1
        backups: 1
      workload:
        record: stock-order
        records: 20000
        batch: 100
        warm-up: 1s
        measure: 4s
        common-warm-up: 1s
      telemetry: [gc, grid]
      factors:
        path: [put, put-all]
      blocks: 1
      probes: []
      """;

  private static final String SERVERS = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;

  private static TheirCluster theirs;

  @BeforeAll
  static void startTheirs(@TempDir Path folder) throws Exception {
    theirs = TheirCluster.start(folder, 2, 256 << 20, "256m", true);
  }

  @AfterAll
  static void stopTheirs() {
    theirs.close();
  }

  @BeforeEach
  void writeExperiment() throws Exception {
    write("theirs.yaml", EXPERIMENT.formatted(theirs.address));
  }

  private List<TrialRecord> validTrials() throws Exception {
    List<TrialRecord> trials = trials();
    assertThat(trials).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);
    return trials;
  }

  /** The load is put on for at least as long as it is measured, and the measured part is most. */
  @Test
  void theirCpuTimeCollectionsAndPoolsAreMeasuredWithoutAnySetting() throws Exception {
    double before = theirs.cpuSeconds();
    Ended ended = succeed("run", "theirs.yaml");
    double counted = theirs.cpuSeconds() - before;
    assertThat(ended.out().replaceAll("\\s+", " ")).doesNotContain("agents alone");
    double measured = 0;
    for (TrialRecord trial : validTrials()) {
      assertThat(trial.configuration()).containsEntry(CpuScope.KEY, "agents and servers");
      assertThat(trial.value(Metric.CPU).orElseThrow())
          .isGreaterThan(trial.value(SERVERS).orElseThrow());
      assertThat(trial.metrics())
          .containsKeys(
              "gc.pauses.node-0",
              "gc.pause-total.nodes",
              "grid.striped-pool.queue.max.node-1",
              "grid.heap.used.mean.node-0");
      assertThat(trial.value("grid.striped-pool.tasks.nodes").orElseThrow()).isPositive();
      assertThat(trial.value("grid.cache.puts.nodes").orElseThrow()).isPositive();
      assertThat(trial.configuration()).doesNotContainKey(TrialRecord.UNAVAILABLE);
      measured +=
          trial.value(Metric.CPU_SECONDS_OF + "node-0").orElseThrow()
              + trial.value(Metric.CPU_SECONDS_OF + "node-1").orElseThrow();
    }
    assertThat(measured).isBetween(0.1 * counted, counted);
  }

  @Test
  void anAddressWithoutJmxIsOneSentenceAndTheRunGoesOn() throws Exception {
    Ended ended = succeed("run", "theirs.yaml", "--set", "jmx=127.0.0.1:9");
    String words = ended.out().replaceAll("\\s+", " ");
    assertThat(words).contains("127.0.0.1:9 ");
    assertThat(Files.readString(pyrometer.runFolder().resolve("results.json")))
        .contains("validity.cpu-of-agents");
    for (TrialRecord trial : validTrials()) {
      assertThat(trial.value(SERVERS)).isEmpty();
      assertThat(trial.value("grid.striped-pool.tasks.nodes").orElseThrow()).isPositive();
      assertThat(trial.configuration().get(TrialRecord.UNAVAILABLE))
          .contains("'gc'", "node-0, node-1");
    }
  }
}
