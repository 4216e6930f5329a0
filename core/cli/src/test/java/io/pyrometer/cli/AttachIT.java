package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that somebody else runs is left as it was found, however the run ends. */
class AttachIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: theirs
      question: Is their cluster left as it was?
      grid:
        driver: ignite
        attach: "%s"
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1
        backups: 0
        partitions: 8
      workload:
        record: stock-order
        records: 2000
        path: put-all
        batch: 100
        warm-up: 0.2s
        measure: 0.8s
        common-warm-up: 0s
      telemetry: [gc, grid]
      blocks: 1
      probes: []
      """;

  private static final String SERVERS = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;

  private static TheirCluster theirs;

  private int startedBefore;

  @BeforeAll
  static void startTheirs(@TempDir Path folder) throws Exception {
    theirs = TheirCluster.start(folder, 1, 256 << 20, "512m", true);
  }

  @AfterAll
  static void stopTheirs() {
    theirs.close();
  }

  @BeforeEach
  void writeExperiment() throws Exception {
    assertThat(theirs.alive()).isTrue();
    startedBefore = theirs.started().size();
    pyrometer = Pyrometer.withDrivers(folder, "ignite");
    write("theirs.yaml", EXPERIMENT.formatted(theirs.address));
  }

  @Test
  void aRunAsksFirstAndLeavesNoCacheWhetherItIsKilledOrEnds() throws Exception {
    Process process = pyrometer.interactive().start("run", "theirs.yaml");
    Pyrometer.await("the question", () -> asks() || !process.isAlive());
    assertThat(folder.resolve("runs")).doesNotExist();
    assertThat(theirs.started()).as("nothing is written yet").hasSize(startedBefore);
    assertThat(pyrometer.text("out.txt").replaceAll("\\s+", " "))
        .contains(theirs.address + ": 1 server, version 2.", "state ACTIVE", "free for data ")
        .contains("orders-of-others 0 records atomicity ATOMIC, backups 0, cache-mode PARTITIONED")
        .contains("up to 2,000 records of ", " bytes in 1 copy each (");
    process.getOutputStream().write("y\n".getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    Pyrometer.await(
        "a cache of the run", () -> theirs.started().size() > startedBefore || !process.isAlive());
    Pyrometer.awaitWork(process);
    List<ProcessHandle> workers = Pyrometer.workers(process);
    process.destroyForcibly();
    awaitEnd(workers);
    assertOursAreGone();

    succeed("resume", pyrometer.runFolder().toString());
    assertThat(trials()).isNotEmpty().allSatisfy(AttachIT::itsServerIsWatched);
    assertOursAreGone();
    Ended doctor = Pyrometer.execute("doctor", pyrometer.runFolder().toString());
    assertThat(doctor.err()).isEmpty();
    assertThat(doctor.out())
        .contains("1 server of Ignite 2.")
        .as("theirs and those of the trials")
        .containsPattern("with [2-9] caches");
    assertThat(doctor.code()).as("a busy machine is a problem that was measured").isIn(0, 1);
  }

  private boolean asks() {
    try {
      return pyrometer.text("err.txt").contains(AttachedGrid.QUESTION);
    } catch (IOException notYet) {
      return false;
    }
  }

  /** By its JMX port, which no setting names. */
  private static void itsServerIsWatched(TrialRecord trial) {
    assertThat(trial.outcome()).isEqualTo(Outcome.OK);
    assertThat(trial.configuration())
        .containsEntry(CpuScope.KEY, "agents and servers")
        .doesNotContainKey(TrialRecord.UNAVAILABLE);
    assertThat(trial.metrics())
        .containsKeys(
            "gc.pauses.node-0", "gc.pause-total.nodes", "grid.striped-pool.queue.max.node-0");
    assertThat(trial.metrics()).containsKeys("grid.heap.used.mean.node-0", "grid.cache.puts.nodes");
    assertThat(trial.value("grid.striped-pool.tasks.nodes").orElseThrow()).isPositive();
    assertThat(trial.value(Metric.CPU_SECONDS_OF + "node-0").orElseThrow()).isPositive();
    assertThat(trial.value(Metric.CPU).orElseThrow())
        .isGreaterThan(trial.value(SERVERS).orElseThrow());
  }

  @Test
  @Tag("extended")
  void anAddressWithoutJmxIsOneSentenceAndTheRunGoesOn() throws Exception {
    Ended ended = succeed("run", "theirs.yaml", "--set", "jmx=127.0.0.1:9");
    assertThat(ended.out().replaceAll("\\s+", " ")).contains("127.0.0.1:9 ");
    assertThat(pyrometer.runFolder().resolve("results.json"))
        .content()
        .contains("validity.cpu-of-agents");
    for (TrialRecord trial : trials()) {
      assertThat(trial.outcome()).isEqualTo(Outcome.OK);
      assertThat(trial.value(SERVERS)).isEmpty();
      assertThat(trial.value("grid.striped-pool.tasks.nodes").orElseThrow()).isPositive();
      assertThat(trial.configuration().get(TrialRecord.UNAVAILABLE)).contains("'gc'", "node-0");
    }
  }

  @Test
  @Tag("extended")
  void theDoctorLooksAndLeavesNothing() throws Exception {
    Ended ended = pyrometer.run("doctor", theirs.address, "--for", "5s");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).contains("1 server of Ignite 2.");
    assertThat(ended.code()).as("a busy machine is a problem that was measured").isIn(0, 1);
    assertThat(theirs.started()).hasSize(startedBefore);
    assertThat(theirs.alive()).isTrue();
  }

  private void assertOursAreGone() {
    assertThat(theirs.alive()).isTrue();
    assertThat(theirs.started().stream().skip(startedBefore))
        .anyMatch(name -> name.startsWith("pyrometer-"));
    assertThat(theirs.left())
        .contains(TheirCluster.CACHE)
        .noneMatch(name -> name.startsWith("pyrometer-"));
  }
}
