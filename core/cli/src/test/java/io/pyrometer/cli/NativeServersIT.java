package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A product whose servers are native processes, which workers start and supervise. */
@Tag("extended")
class NativeServersIT extends RunFixture {
  private static final String SERVER = "io.pyrometer.driver.nativetest.KeyValueServer";
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: native
      question: Does a product with native servers run like any other?
      grid:
        driver: native-test
        nodes: 2
        agents: 1
        node-heap: 777m
        node-jvm-args: -XX:TieredStopAtLevel=1
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
        memory: 48m
      workload:
        record: stock-order
        records: 2000
        warm-up: 0.5s
        measure: 1s
        common-warm-up: 0s
      factors:
        path: [put, get]
      blocks: 1
      probes: []
      """;

  @BeforeEach
  void writeExperiment() throws Exception {
    pyrometer = Pyrometer.withDrivers(folder, "native-test");
    write("native.yaml", EXPERIMENT);
  }

  @Test
  void neitherAKilledWorkerNorAKilledCoordinatorLeavesANativeServer() throws Exception {
    Process process = pyrometer.start("run", "native.yaml");
    pyrometer.awaitSecondTrial(process);
    ProcessHandle server = servers(process).get(0);
    server.parent().orElseThrow().destroyForcibly();
    server.onExit().get(60, TimeUnit.SECONDS);
    List<ProcessHandle> left = Pyrometer.workers(process);
    process.destroyForcibly();
    awaitEnd(left);
  }

  @Test
  void aPortThatAnotherProgramTookIsReplacedWithoutAWord() throws Exception {
    Path taken = folder.resolve("taken");
    Ended ended =
        pyrometer.run(
            "run", "native.yaml", "--set", "take-port-once=" + taken, "--set", "path=put");
    assertThat(taken).exists();
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(ended.out()).doesNotContain("taken.", "already in use");
    assertThat(trials()).extracting(TrialRecord::outcome).containsOnly(Outcome.OK);
    try (var logs = Files.walk(pyrometer.runFolder())) {
      assertThat(logs.filter(Files::isRegularFile).map(NativeServersIT::text))
          .as("the first start did find a port taken")
          .anyMatch(log -> log.contains("Address already in use"));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (java.io.IOException unreadable) {
      return "";
    }
  }

  private static List<ProcessHandle> servers(Process coordinator) {
    return Pyrometer.workers(coordinator).stream()
        .filter(handle -> arguments(handle).contains(SERVER))
        .toList();
  }

  private static List<String> arguments(ProcessHandle handle) {
    return List.of(handle.info().arguments().orElse(new String[0]));
  }
}
