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

  @Tag("extended")
  @Test
  void itsTrialsAreVerifiedAndItsCpuTimeIsTheNativeProcesses() throws Exception {
    Process process = pyrometer.start("run", "native.yaml");
    Pyrometer.await("two native servers", () -> servers(process).size() == 2 || ended(process));
    List<ProcessHandle> workers = supervisors(process);
    assertThat(workers)
        .hasSize(2)
        .allSatisfy(worker -> assertThat(arguments(worker)).contains("-Xmx" + (64 << 20)));
    assertThat(servers(process))
        .allSatisfy(server -> assertThat(arguments(server)).contains("-Xmx" + (48 << 20)));
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    // A trial that the machine disturbed is repeated.
    assertThat(trials()).extracting(TrialRecord::id).contains("0001-b1-put", "0002-b1-get");
    assertThat(trials())
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.OK);
              assertThat(trial.configuration())
                  .containsEntry("cluster.servers", "2")
                  .containsKey("server.max-heap-bytes");
              // Each server answers half of the requests, one system call or more for each.
              assertThat(trial.value("cpu-seconds.node-0").orElseThrow()).isPositive();
              assertThat(trial.value("cpu-seconds.node-1").orElseThrow()).isPositive();
            });
  }

  @Tag("extended")
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

  @Tag("extended")
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

  private static boolean ended(Process process) {
    return !process.isAlive();
  }

  private static List<ProcessHandle> servers(Process coordinator) {
    return Pyrometer.workers(coordinator).stream()
        .filter(handle -> arguments(handle).contains(SERVER))
        .toList();
  }

  private static List<ProcessHandle> supervisors(Process coordinator) {
    return servers(coordinator).stream().map(s -> s.parent().orElseThrow()).toList();
  }

  private static List<String> arguments(ProcessHandle handle) {
    return List.of(handle.info().arguments().orElse(new String[0]));
  }

  @Test
  void aServerThatIsKilledFailsItsTrialWhichIsRepeatedOnAFreshCluster() throws Exception {
    Process process = pyrometer.start("run", "native.yaml");
    pyrometer.awaitSecondTrial(process);
    servers(process).get(0).destroyForcibly();
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() == Outcome.FAILED)
        .singleElement()
        .extracting(trial -> trial.why().orElse(""))
        .asString()
        .contains("node-")
        .contains("The key-value server")
        .contains("was killed (exit code 137).");
    assertThat(trials().stream().filter(trial -> trial.outcome() == Outcome.OK))
        .extracting(TrialRecord::id)
        .contains("0001-b1-put", "0002-b1-get");
    assertThat(pyrometer.runFolder().resolve("report.html")).isNotEmptyFile();
  }
}
