package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three hosts with OpenSSH, each with files, processes and a network of its own. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class SshHostsIT extends RunFixture {
  private static final String SCRIPT =
      Path.of("..", "..", "lab", "ssh-hosts.sh").toAbsolutePath().normalize().toString();

  private static final List<String> NAMES = List.of("w1", "w2", "w3");

  private Path hosts = Path.of("");

  @BeforeEach
  void makeHosts() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/sshd")),
        "there is no /usr/sbin/sshd: install openssh-server");
    String namespaces = "unshare --net --mount --uts --pid --fork ip link";
    assumeTrue(
        OneUserOfNamespaces.exitCode(namespaces) == 0,
        "this machine does not let us: " + namespaces);
    hosts = folder.resolve("hosts");
    assertThat(execute(SCRIPT, "up", hosts.toString(), "" + NAMES.size())).isEmpty();
    pyrometer =
        Pyrometer.withTestDrivers(folder)
            .withPath(hosts.resolve("bin") + ":" + System.getenv("PATH"));
    List<String> listed = NAMES.stream().map(SshHostsIT::entry).toList();
    write(
        "three.yaml",
        """
        pyrometer: 1
        name: three
        question: Do three hosts behave as one testbed?
        grid:
          driver: native-test
          nodes: 3
          agents: 1
          node-jvm-args: -XX:TieredStopAtLevel=1
          agent-heap: 128m
          agent-jvm-args: -XX:TieredStopAtLevel=1
          memory: 48m
        workload:
          record: stock-order
          records: 2000
          warm-up: 0.3s
          measure: 0.8s
          common-warm-up: 0s
        factors:
          path: [put, get]
        probes: []
        blocks: 2
        hosts: [%s]
        """
            .formatted(String.join(", ", listed)));
  }

  @AfterEach
  void removeHosts() throws Exception {
    if (hosts.toString().isEmpty()) {
      return; // skipped
    }
    assertThat(execute(SCRIPT, "down", hosts.toString())).isEmpty();
    Pyrometer.await(
        "the end of all connections",
        () ->
            ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .noneMatch(line -> line.contains(hosts.toString())));
  }

  private static String entry(String name) {
    return "{command: ssh %s, name: %s, address: %s, folder: /tmp/pyro, java: %s}"
        .formatted(
            name,
            name,
            name.replace("w", "10.203.77."),
            Path.of(System.getProperty("java.home"), "bin", "java"));
  }

  /** What a command of this machine said, without its last line break. */
  private static String execute(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said.strip();
  }

  private String on(String host, String command) throws Exception {
    return execute(hosts.resolve("bin/ssh").toString(), host, command);
  }

  /** Workers see the end of their input when that of a run has come. */
  private void assertNoProcessLeftOn(String host) throws Exception {
    String until = "for i in $(seq 50); do pgrep -a java >/dev/null || break; sleep 0.1; done; ";
    assertThat(on(host, until + "pgrep -a java")).isEmpty();
  }

  /** Neither a JVM nor a file anywhere, but Pyrometer's folder and the JVMs' own. */
  private void assertNothingLeftOn(String host) throws Exception {
    assertNoProcessLeftOn(host);
    assertThat(on(host, "ls /tmp").lines()).isSubsetOf("pyro", "hsperfdata_root");
    assertThat(on(host, "ls /tmp/pyro /tmp/pyro/*/work").lines())
        .allMatch(line -> line.matches("(/tmp/pyro.*:|pyrometer-\\p{XDigit}+|)"));
    String server =
        execute("ip", "netns", "pids", host.replace("w", "pyro-")).lines().toList().get(0);
    String changed = hosts.resolve(host).resolve("upper").toString();
    assertThat(execute("nsenter", "-m", "-t", server, "find", changed, "-type", "f")).isEmpty();
  }

  @Test
  void aRunSendsItsFilesAndLeavesNothingElse() throws Exception {
    succeed("run", "three.yaml", "--quick");
    assertThat(trials())
        .isNotEmpty()
        .allSatisfy(
            trial -> {
              assertThat(trial.outcome()).isEqualTo(Outcome.OK);
              assertThat(trial.metrics())
                  .containsKeys(
                      Metric.CPU_SECONDS_OF + "node-0",
                      Metric.CPU_SECONDS_OF + "node-1",
                      Metric.CPU_SECONDS_OF + "node-2",
                      Metric.CPU_SECONDS_OF + "agent-0");
            });
    for (String host : NAMES) {
      assertNothingLeftOn(host);
    }
  }

  @Test
  void oneThatFallsSilentEndsTheRunWithASentenceAndNoTrialIsLost() throws Exception {
    Process process = pyrometer.start("run", "three.yaml");
    Pyrometer.await("a trial", () -> pyrometer.journalLines() >= 1 || !process.isAlive());
    assertThat(OneUserOfNamespaces.exitCode("ip link set pyro-v2 down")).isZero();
    Ended ended = pyrometer.end(process);
    assertThat(ended.code()).as(ended.out()).isEqualTo(1);
    assertThat(ended.out()).contains("Exit code 1: ");
    assertThat(trials()).anyMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(trials())
        .filteredOn(trial -> trial.outcome() != Outcome.OK)
        .isNotEmpty()
        .allMatch(trial -> trial.why().orElse("").endsWith("."))
        .anyMatch(trial -> trial.why().orElse("").contains("10.203.77.2"));
    assertNoProcessLeftOn("w1");
    assertNoProcessLeftOn("w3");
  }
}
