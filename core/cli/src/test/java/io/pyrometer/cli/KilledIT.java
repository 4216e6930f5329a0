package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any process may be killed at any time: no JVM stays, no trial is lost. */
class KilledIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: killed
      question: Does a run outlive what is done to it?
      grid: {driver: "null"}
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.5s
        measure: 1s
        common-warm-up: 0s
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      factors:
        path: [put, get]
      design: full
      blocks: 1
      seed: 1
      analyses: [ranking]
      probes: []
      """;

  /** Every process of it has the mark in its arguments. */
  private static final String CLUSTER =
      """
      pyrometer: 1
      name: killed
      question: Does a run on a cluster outlive what is done to it?
      grid:
        driver: ignite
        nodes: 2
        region: 64m
        node-heap: 300m
        node-jvm-args: -XX:TieredStopAtLevel=1 -Dmark=%1$s
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1 -Dmark=%1$s
      workload:
        record: stock-order
        records: 2000
        batch: 100
        warm-up: 0.5s
        measure: 2s
        common-warm-up: 0s
      factors:
        path: [put, get-all]
      blocks: 1
      probes: []
      """;

  private static final String BENCHMARK =
      """
      pyrometer: 1
      name: killed
      question: Does anything stay?
      grid: {driver: guava, agent-jvm-args: -Dmark=%s}
      workload: {benchmark: read, records: 1000, iterations: 9, measure: 60s, warm-up-iterations: 0, fork-heap: 64m, common-warm-up: 0s}
      blocks: 1
      """;

  private final String mark = UUID.randomUUID().toString();

  @BeforeEach
  void writeExperiment() throws Exception {
    write("killed.yaml", EXPERIMENT);
  }

  private Process startedAndOneTrialDone() throws Exception {
    Process process = pyrometer.start("run", "killed.yaml");
    Pyrometer.await("a first trial", () -> pyrometer.journalLines() >= 1 || !process.isAlive());
    assertThat(process.isAlive()).isTrue();
    return process;
  }

  private static void assertGone(List<ProcessHandle> workers) throws Exception {
    assertThat(workers).isNotEmpty();
    awaitEnd(workers);
  }

  /** Other commands, which ask about the machine, end by themselves. */
  private static boolean isJvm(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("java")).isPresent();
  }

  private void assertResumes() throws Exception {
    int before = trials().size();
    succeed("resume", pyrometer.runFolder().getFileName().toString());
    assertThat(trials()).hasSizeGreaterThan(before);
    assertThat(trials())
        .filteredOn(trial -> trial.attempt() == 1)
        .extracting(TrialRecord::id)
        .containsOnlyOnce("0001-b1-" + first());
  }

  private String first() throws Exception {
    return trials().get(0).settings().text("path");
  }

  @Test
  void aCoordinatorKilledHardLeavesNoProcessAndItsRunIsCarriedOn() throws Exception {
    Process process = startedAndOneTrialDone();
    List<ProcessHandle> workers = Pyrometer.workers(process);
    process.destroyForcibly();
    assertGone(workers);
    assertResumes();
  }

  @Test
  void aCoordinatorKilledDuringAStartLeavesNoProcess() throws Exception {
    Process process = pyrometer.start("run", "killed.yaml");
    List<ProcessHandle> workers = new ArrayList<>();
    Pyrometer.await(
        "a worker",
        () -> {
          workers.clear();
          workers.addAll(Pyrometer.workers(process));
          return workers.stream().anyMatch(KilledIT::isJvm);
        });
    process.destroyForcibly();
    assertGone(workers);
  }

  @Test
  void anInterruptedCoordinatorLeavesNoProcessAndRecordsNothingOfIt() throws Exception {
    assumeThat(interruptsAreIgnored()).as("a shell started the tests deaf to Ctrl-C").isFalse();
    Process process = startedAndOneTrialDone();
    List<ProcessHandle> workers = Pyrometer.workers(process);
    assertThat(new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor()).isZero();
    assertGone(workers);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(trials()).allMatch(trial -> trial.outcome() == Outcome.OK);
  }

  /**
   * Returns whether this process was started with SIGINT ignored, which a new process inherits
   * (proc(5)).
   */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  /** The first processes measure the load generator; then come two servers and an agent. */
  @Tag("extended")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noServerAndNoAgentStays(int started) throws Exception {
    write("killed.yaml", CLUSTER.formatted(mark));
    killWhen(() -> marked().count() >= started);
  }

  @Tag("extended")
  @Test
  void noJvmOfABenchmarkStays() throws Exception {
    write("killed.yaml", BENCHMARK.formatted(mark));
    killWhen(
        () ->
            ProcessHandle.allProcesses().anyMatch(each -> arguments(each).contains("ForkedMain")));
  }

  private void killWhen(BooleanSupplier phase) throws Exception {
    Process coordinator = pyrometer.start("run", "killed.yaml");
    Pyrometer.await("the phase", () -> phase.getAsBoolean() || !coordinator.isAlive());
    assertThat(coordinator.isAlive()).isTrue();
    List<ProcessHandle> descendants = Pyrometer.workers(coordinator);
    coordinator.destroyForcibly().waitFor();
    Pyrometer.await(
        "the end of all processes",
        () -> descendants.stream().noneMatch(ProcessHandle::isAlive) && marked().count() == 0);
  }

  private Stream<ProcessHandle> marked() {
    return ProcessHandle.allProcesses().filter(each -> arguments(each).contains(mark));
  }

  private static String arguments(ProcessHandle process) {
    return Optional.of(process.info())
        .flatMap(ProcessHandle.Info::arguments)
        .map(words -> String.join(" ", words))
        .orElse("");
  }
}
