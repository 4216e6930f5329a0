package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes on a host that is reached as by ssh: words joined for a shell, nothing inherited. */
class HostsIT extends RunFixture {
  /** Behaves as ssh does: a shell, an environment of its own, and not the coordinator's files. */
  private static final String OTHER_FILES =
      "case \"$*\" in cat*/nonce) exit 1;; esac; cd / && exec env -i sh -c \"$*\"";

  private static final String SERVER = "io.pyrometer.driver.nativetest.KeyValueServer";

  @BeforeEach
  void writeExperiment() throws IOException {
    pyrometer = Pyrometer.withDrivers(folder, "native-test");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    write(
        "far.yaml",
        """
        pyrometer: 1
        name: far
        question: Does it matter where it runs?
        grid: {driver: native-test, nodes: 1, memory: 48m, node-jvm-args: -XX:TieredStopAtLevel=1}
        workload:
          record: stock-order
          records: 2000
          warm-up: 0.2s
          measure: 0.8s
          common-warm-up: 0s
          agent-heap: 128m
          agent-jvm-args: -XX:TieredStopAtLevel=1
          agents: 1
        factors:
          path: [put, get]
        hosts:
          - {name: far, command: "%s", address: 127.0.0.1, folder: %s, java: %s}
        blocks: 1
        probes: []
        """
            .formatted(script(OTHER_FILES), folder.resolve("far"), java));
  }

  private Path script(String command) throws IOException {
    return script(folder.resolve("reach"), command);
  }

  @Test
  void itIsSentWhatItLacksAndAServerThatIsKilledThereFailsItsTrialAlone() throws Exception {
    Process process = pyrometer.start("run", "far.yaml");
    pyrometer.awaitSecondTrial(process);
    Pyrometer.workers(process).stream()
        .filter(each -> List.of(each.info().arguments().orElse(new String[0])).contains(SERVER))
        .forEach(ProcessHandle::destroyForcibly);
    Ended ended = pyrometer.end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() == Outcome.FAILED)
        .singleElement()
        .extracting(trial -> trial.why().orElse(""))
        .asString()
        .contains("node-0", "The key-value server", "was killed (exit code 137).");
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() == Outcome.OK)
        .allSatisfy(
            trial ->
                assertThat(trial.metrics())
                    .containsKeys(
                        Metric.CPU_SECONDS_OF + "node-0", Metric.CPU_SECONDS_OF + "agent-0"))
        .extracting(TrialRecord::id)
        .contains("0001-b1-put", "0002-b1-get");
    Path shipped;
    try (var inside = Files.list(folder.resolve("far"))) {
      shipped = inside.filter(f -> f.getFileName().toString().startsWith("pyro")).findAny().get();
    }
    assertThat(shipped.resolve("complete")).exists();
    assertThat(shipped.resolve("drivers/native-test")).isDirectoryContaining("glob:**.jar");
  }

  @Test
  void oneThatRefusesIsASentenceBeforeAnythingStarts() throws Exception {
    Path unused = script("echo 'Permission denied (publickey).' >&2; exit 255");
    write(
        "far.yaml",
        pyrometer.text("far.yaml").replaceFirst("grid: .*", "grid: {driver: \"null\"}"));
    String file = folder.resolve("far.yaml").toString();
    Ended ended = Pyrometer.execute("run", file, "--out", folder.resolve("runs").toString());
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).hasLineCount(1).contains("'far'", "Permission denied (publickey).");
    assertThat(folder.resolve("runs")).doesNotExist();
    Ended checked = Pyrometer.execute("hosts", "check", file);
    assertThat(checked.code()).isEqualTo(1);
    assertThat(checked.out()).contains("! ", "'far'");
  }

  /** A stand-in for kubectl lists the pod and enters it. */
  @Tag("extended")
  @Test
  void podsThatASelectorNamesAreHosts() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    write(
        "far.yaml",
        pyrometer
            .text("far.yaml")
            .replaceFirst(
                "(?m)^hosts:\\n.*",
                "hosts: {kubernetes: {selector: app=grid}, folder: %s, java: %s}"
                    .formatted(folder.resolve("far"), java)));
    write(
        "pods.json",
        """
        {"items": [{"metadata": {"name": "pod-0"},
                    "status": {"phase": "Running", "podIP": "127.0.0.1"}}]}
        """);
    Path unused =
        script(
            Files.createDirectories(folder.resolve("bin")).resolve("kubectl"),
            """
            case "$*" in
              "get pods -l app=grid -o json "*) cat %s;;
              "exec -i pod-0 -- "*) shift 4; cd / && exec "$@";;
              *) exit 1;;
            esac
            """
                .formatted(folder.resolve("pods.json")));
    pyrometer = pyrometer.withPath(folder.resolve("bin") + ":" + System.getenv("PATH"));
    succeed("run", "far.yaml");
    assertThat(trials()).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(new RunFolder(pyrometer.runFolder()).plan().testbed().hosts())
        .extracting(Host::name)
        .containsExactly("pod-0");
  }
}
