package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator of a cluster or a benchmark may be killed in any phase: no JVM stays. */
@Tag("extended")
class KilledIT extends RunFixture {
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

  private static final String NATIVE =
      """
      pyrometer: 1
      name: killed
      question: Does a server that is a native process stay?
      grid: {driver: native-test, nodes: 2, memory: 48m, agent-heap: 128m}
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.5s
        measure: 1s
        common-warm-up: 0s
      factors: {path: [put, get]}
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

  /** The first processes measure the load generator; then come two servers and an agent. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noServerAndNoAgentStays(int started) throws Exception {
    write("killed.yaml", CLUSTER.formatted(mark));
    killWhen(() -> marked().count() >= started);
  }

  @Test
  void noJvmOfABenchmarkStays() throws Exception {
    write("killed.yaml", BENCHMARK.formatted(mark));
    killWhen(
        () ->
            ProcessHandle.allProcesses().anyMatch(each -> arguments(each).contains("ForkedMain")));
  }

  @Test
  void neitherAKilledWorkerNorAKilledCoordinatorLeavesANativeServer() throws Exception {
    pyrometer = Pyrometer.withDrivers(folder, "native-test");
    write("killed.yaml", NATIVE);
    Process process = pyrometer.start("run", "killed.yaml");
    pyrometer.awaitSecondTrial(process);
    ProcessHandle server =
        Pyrometer.workers(process).stream()
            .filter(each -> arguments(each).contains("io.pyrometer.driver.nativetest."))
            .findFirst()
            .orElseThrow();
    server.parent().orElseThrow().destroyForcibly();
    server.onExit().get(60, TimeUnit.SECONDS);
    List<ProcessHandle> left = Pyrometer.workers(process);
    process.destroyForcibly();
    awaitEnd(left);
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
