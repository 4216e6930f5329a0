package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes on a host that is reached as by ssh: words joined for a shell, nothing inherited. */
class HostsIT extends RunFixture {
  /** Behaves as ssh does: a shell, an environment of its own, and not the coordinator's files. */
  private static final String OTHER_FILES =
      "case \"$*\" in cat*/nonce) exit 1;; esac; cd / && exec env -i sh -c \"$*\"";

  private static final String BOOT_ID = "/proc/sys/kernel/random/boot_id";

  @BeforeEach
  void writeExperiment() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    write(
        "far.yaml",
        """
        pyrometer: 1
        name: far
        question: Does it matter where it runs?
        grid: {driver: "null"}
        workload:
          record: stock-order
          records: 2000
          warm-up: 0.3s
          measure: 0.8s
          common-warm-up: 0s
          agent-heap: 128m
          agents: 1
        factors:
          path: [put, get]
        hosts:
          - {name: far, command: "%s", folder: %s, java: %s}
        blocks: 1
        probes: []
        """
            .formatted(script(OTHER_FILES), folder.resolve("far"), java));
  }

  private Path script(String command) throws IOException {
    return script(folder.resolve("reach"), command);
  }

  @Test
  void itIsSentWhatItLacksAndTellsItsClock() throws Exception {
    succeed("run", "far.yaml");
    assertThat(trials())
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.OK);
              assertThat(trial.metrics()).containsKey(Metric.CPU_SECONDS_OF + "agent-0");
            });
    Path shipped;
    try (var inside = Files.list(folder.resolve("far"))) {
      shipped = inside.filter(f -> f.getFileName().toString().startsWith("pyro")).findAny().get();
    }
    assertThat(shipped.resolve("complete")).exists();
    assertThat(shipped.resolve("drivers/null")).isDirectoryContaining("glob:**.jar");
  }

  @Test
  void oneThatRefusesIsASentenceBeforeAnythingStarts() throws Exception {
    Path unused = script("echo 'Permission denied (publickey).' >&2; exit 255");
    Ended ended = pyrometer.run("run", "far.yaml");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).hasLineCount(1).contains("'far'", "Permission denied (publickey).");
    assertThat(folder.resolve("runs")).doesNotExist();
    Ended checked = pyrometer.run("hosts", "check", "far.yaml");
    assertThat(checked.code()).isEqualTo(1);
    assertThat(checked.out()).contains("! ", "'far'");
  }

  /**
   * Replaces the hosts of the experiment by pods, which a stand-in for kubectl lists and enters.
   */
  private void selectPods(String phase) throws IOException {
    Path file = folder.resolve("far.yaml");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(
        file,
        Files.readString(file)
            .replaceFirst(
                "(?m)^hosts:\\n.*",
                "hosts: {kubernetes: {selector: app=grid}, folder: %s, java: %s}"
                    .formatted(folder.resolve("far"), java)));
    write(
        "pods.json",
        """
        {"items": [{"metadata": {"name": "pod-0"},
                    "status": {"phase": "%s", "podIP": "127.0.0.1"}}]}
        """
            .formatted(phase));
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
  }

  @Tag("extended")
  @Test
  void podsThatASelectorNamesAreHosts() throws Exception {
    selectPods("Running");
    succeed("run", "far.yaml");
    assertThat(trials()).isNotEmpty().allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(new RunFolder(pyrometer.runFolder()).plan().testbed().hosts())
        .extracting(Host::name)
        .containsExactly("pod-0");
  }

  @Test
  void podsThatAreNotRunningAndAMissingKubectlAreASentence() throws Exception {
    selectPods("Pending");
    Ended pending = pyrometer.run("hosts", "check", "far.yaml");
    assertThat(pending.code()).isEqualTo(2);
    assertThat(pending.err()).hasLineCount(1).contains("pod-0 is Pending");
    Ended missing = pyrometer.withPath(folder.toString()).run("run", "far.yaml");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).hasLineCount(1).contains("'kubectl'");
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  /**
   * The boot id of the host is made up, so that it counts as a machine of its own; what its kernel
   * counts is real, and so are the processes that disturb it.
   */
  @Test
  @Tag("extended")
  void processesOfOthersOnItDisturbItsTrialsAndAreToldWithItsName() throws Exception {
    Path boot = folder.resolve("boot-id");
    Files.writeString(boot, "11111111-2222-3333-4444-555555555555\n");
    String otherKernel =
        "exec unshare -m sh -c 'mount --bind %s /proc/sys/kernel/random/boot_id && exec \"$@\"' sh \"$@\""
            .formatted(boot);
    Path reach = script(otherKernel);
    Process tried = new ProcessBuilder(reach.toString(), "cat", BOOT_ID).start();
    assumeTrue(tried.waitFor() == 0, "this machine does not let us mount");
    List<Process> others = new ArrayList<>();
    try {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        others.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      }
      Ended ended = pyrometer.run("run", "far.yaml");
      assertThat(ended.code()).as(ended.err()).isZero();
    } finally {
      others.forEach(Process::destroyForcibly);
    }
    assertThat(trials())
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.disturbed()).isTrue();
              assertThat(trial.validity())
                  .filteredOn(Check::disturbed)
                  .extracting(Check::words)
                  .contains("other processes of far");
              assertThat(trial.value(Metric.MACHINE + "far.other").orElseThrow()).isPositive();
              assertThat(CpuLog.of(new RunFolder(pyrometer.runFolder()), trial).orElseThrow())
                  .filteredOn(each -> each.what() == CpuLog.What.OTHERS && each.cpus() > 0)
                  .extracting(CpuLog.Interval::process)
                  .contains(CpuLog.MACHINE + " far");
            });
  }

  @Test
  void oneThatDiesFailsItsTrialAndTheRunGoesOn() throws Exception {
    Process process = pyrometer.start("run", "far.yaml");
    pyrometer.awaitSecondTrial(process);
    Pyrometer.workers(process).forEach(ProcessHandle::destroyForcibly);
    Ended ended = pyrometer.end(process);
    assertThat(ended.code()).isZero();
    assertThat(trials())
        .anyMatch(trial -> trial.outcome() == Outcome.FAILED && why(trial).contains("was killed"));
    assertThat(
            trials().stream()
                .filter(t -> t.outcome() == Outcome.OK)
                .map(TrialRecord::id)
                .distinct())
        .hasSize(2);
  }

  private static String why(TrialRecord trial) {
    return trial.why().orElse("");
  }
}
