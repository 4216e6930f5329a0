package io.pyrometer.coordinator.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.Distribution.Program;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.experiment.model.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts behind a prefix, which here is a shell script that runs its arguments, or does not. */
class RemoteHostTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** As a host with other files does, it does not find what the coordinator put down. */
  private static final String OTHER_FILES = "[ \"$1\" = cat ] && exit 1\n";

  private static final String LOGGED = "echo \"$1\" >> \"$0.log\"\n";

  @TempDir Path folder;
  private Path there;

  @BeforeEach
  void installDriver() throws IOException {
    there = folder.resolve("there");
    Path driver = Files.createDirectories(folder.resolve("dist/drivers/fake"));
    Files.writeString(driver.resolve("fake.jar"), "classes");
    Files.writeString(folder.resolve("own.jar"), "own classes");
    Files.writeString(folder.resolve("grid.xml"), "<grid/>");
    program("java", "echo 'openjdk version \"%d.0.1\"' >&2".formatted(feature()));
  }

  private static int feature() {
    return Runtime.version().feature();
  }

  private Path program(String name, String script) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A host whose prefix is a script that does something before it runs the command. */
  private Host host(String before) throws IOException {
    Path prefix = program("prefix", before + "\nexec \"$@\"");
    return host(List.of("sh", prefix.toString()));
  }

  private Host host(List<String> prefix) {
    return new Host(
        "east",
        prefix,
        "10.0.0.9",
        there.toString(),
        folder.resolve("java").toString(),
        Optional.empty(),
        Optional.empty());
  }

  private RemoteBundle bundle() {
    return RemoteBundle.pack(
        new Distribution(folder.resolve("dist")),
        List.of(FakeRun.driver("fake")),
        List.of(folder.resolve("own.jar")),
        Optional.of(folder.resolve("grid.xml")));
  }

  private PreparedHost prepared(Host host) {
    try (RemoteBundle bundle = bundle()) {
      return PreparedHost.reachedBy(host, bundle);
    }
  }

  private void refused(Host host, String reason) {
    assertThatThrownBy(() -> prepared(host))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("'east'")
        .hasMessageContaining(reason);
  }

  @Test
  void aHostThatSeesTheseFilesIsSentNothing() throws IOException {
    try (RemoteBundle bundle = bundle()) {
      PreparedHost prepared = PreparedHost.reachedBy(host(""), bundle);
      assertThat(prepared.base()).contains(bundle.folder().toString());
      assertThat(there).doesNotExist();
    }
  }

  @Test
  void aHostWithFilesOfItsOwnIsSentTheBundleOnce() throws IOException {
    PreparedHost prepared = prepared(host(OTHER_FILES + LOGGED));
    Path base = Path.of(prepared.base().orElseThrow());
    assertThat(base).hasParent(there);
    assertThat(base.resolve("drivers/fake/fake.jar")).isRegularFile().hasContent("classes");
    assertThat(base.resolve("classes/0-own.jar")).isRegularFile().hasContent("own classes");
    assertThat(prepared.config(Optional.of("anything"))).contains(base + "/config");
    assertThat(base.resolve("config")).hasContent("<grid/>");
    assertThat(Files.readAllLines(folder.resolve("prefix.log"))).contains("tar");
    Files.delete(folder.resolve("prefix.log"));
    assertThat(prepared(host(OTHER_FILES + LOGGED)).base()).contains(base.toString());
    assertThat(Files.readAllLines(folder.resolve("prefix.log"))).doesNotContain("tar");
  }

  @Test
  void aTransferThatWasCutIsMadeAgain() throws IOException {
    Path base = Path.of(prepared(host(OTHER_FILES)).base().orElseThrow());
    Files.delete(base.resolve(RemoteBundle.COMPLETE));
    Files.delete(base.resolve("drivers/fake/fake.jar"));
    assertThat(prepared(host(OTHER_FILES)).base()).contains(base.toString());
    assertThat(base.resolve("drivers/fake/fake.jar")).exists();
  }

  @Test
  void aHostThatRefusesIsQuoted() throws IOException {
    refused(host("echo 'Permission denied.' >&2; exit 255"), "Permission denied.");
    refused(host("exit 137"), "137");
    refused(host(List.of("no-ssh")), "no-ssh");
  }

  private static List<String> errors(Host host) {
    return HostState.read(host).errors(host);
  }

  @Test
  void aJvmOfAnotherVersionIsRefusedAndOursIsFoundBehindItsNotices() throws IOException {
    assertThat(errors(host(""))).isEmpty();
    program("java", "echo 'openjdk version \"1%d.0.2\"' >&2".formatted(feature()));
    assertThat(errors(host(""))).singleElement().asString().contains("has no JVM of version");
    program(
        "java",
        "echo 'Picked up JAVA_TOOL_OPTIONS: -Xint' >&2; echo 'openjdk version \"%d\"' >&2"
            .formatted(feature()));
    assertThat(errors(host(""))).isEmpty();
    Files.delete(folder.resolve("java"));
    assertThat(errors(host(""))).singleElement().asString().contains("has no JVM of version");
  }

  private static List<String> clockErrors(String epoch, double before, double after) {
    Optional<String> ours = Optional.of("openjdk version \"" + feature() + ".0.1\"");
    return new HostState(ours, Optional.empty(), List.of(), HostState.clock(epoch, before, after))
        .errors(Host.LOCAL);
  }

  @Test
  void aClockThatDiffersByMoreThanTheTimeOfTheAnswerIsAnError() {
    assertThat(HostState.clock("101.N", 100.0, 101.0)).isEmpty();
    assertThat(clockErrors("101.19", 100.0, 100.4)).isEmpty();
    assertThat(clockErrors("98.0", 100.0, 100.2))
        .singleElement()
        .asString()
        .contains("2.100 s behind");
  }

  @Test
  void aWorkerIsStartedThereWithTheClassesOfItsDriverAndTheUsersOwn() throws IOException {
    PreparedHost prepared = prepared(host(OTHER_FILES));
    program("java", "echo \"$@\"");
    RemoteShell.Ended said =
        new RemoteShell(prepared.host())
            .run(
                PATIENCE,
                prepared.command("fake", List.of("-Xmx1m", "-Da=b")).toArray(String[]::new));
    String base = prepared.base().orElseThrow();
    assertThat(said.output().strip())
        .isEqualTo(
            "-Xmx1m -Da=b -cp %s/drivers/fake/*:%s/classes/0-own.jar".formatted(base, base)
                + " io.pyrometer.worker.Worker fake");
  }

  @Test
  void whatOneStartWroteThereIsRemovedAndTheRestIsLeft() throws IOException {
    PreparedHost prepared = prepared(host(OTHER_FILES));
    Path base = Path.of(prepared.base().orElseThrow());
    String work = prepared.work(folder.resolve("here"), "start-1");
    assertThat(work).isEqualTo(base + "/work/start-1");
    Files.createDirectories(Path.of(work).resolve("deep"));
    Files.createDirectories(base.resolve("work/start-2"));
    prepared.clean("start-1");
    assertThat(Path.of(work)).doesNotExist();
    assertThat(base.resolve("work/start-2")).exists();
    assertThat(base.resolve(RemoteBundle.COMPLETE)).exists();
  }

  private static long bundles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("pyrometer-bundle"))
          .count();
    }
  }

  @Test
  void aBundleThatIsClosedOrCannotBePackedLeavesNothing() throws IOException {
    long before = bundles();
    RemoteBundle bundle = bundle();
    bundle.archive().close();
    assertThat(bundles()).isEqualTo(before + 1);
    bundle.close();
    assertThat(bundles()).isEqualTo(before);
    assertThat(folder.resolve("dist/drivers/fake/fake.jar")).as("the linked").exists();
    Files.delete(folder.resolve("grid.xml"));
    assertThatThrownBy(this::bundle)
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining(folder.resolve("grid.xml").toString());
    assertThat(bundles()).isEqualTo(before);
  }

  @Test
  void theHostsOfARunArePreparedOrTheFirstThatRefusesIsSaidAndNothingIsLeft() throws IOException {
    long before = bundles();
    assertThatThrownBy(() -> hosts(host("exit 1"))).isInstanceOf(WorkerException.class);
    assertThat(bundles()).isEqualTo(before);
    try (PreparedHosts hosts = hosts(Host.LOCAL, host(""))) {
      assertThat(hosts.all()).extracting(it -> it.base().isPresent()).containsExactly(false, true);
      assertThat(hosts.of("node", 0).host()).isEqualTo(Host.LOCAL);
      assertThat(hosts.of("node", 1).host().name()).isEqualTo("east");
      assertThat(hosts.of("node", 2).host()).isEqualTo(Host.LOCAL);
      ProcessLauncher.Launch launch =
          hosts.launch(
              "node-1",
              List.of(),
              Program.of(FakeRun.driver("fake")),
              hosts.of("node", 1),
              1 << 20,
              List.of("-Dlast=1"),
              ProcessLimits.NONE,
              folder.resolve("log"));
      assertThat(launch.command())
          .startsWith("sh")
          .contains(folder.resolve("java").toString(), "fake", "-Xmx1048576")
          .endsWith("-Dlast=1");
    }
    assertThat(bundles()).isEqualTo(before);
  }

  private PreparedHosts hosts(Host... hosts) {
    FakeRun run = new FakeRun(folder.resolve("runs")).hosts(hosts);
    return PreparedHosts.of(
        run.plan(FakeRun.blocksOf(1, "put")),
        new Distribution(folder.resolve("dist")),
        NamespaceCommands.SYSTEM);
  }

  @Test
  void aQuotaOnAnotherHostIsRefusedInASentence() throws IOException {
    Path distribution =
        Files.createDirectories(folder.resolve("runs/no-distribution/drivers/fake"));
    Files.writeString(distribution.resolve("fake.jar"), "classes");
    FakeRun run = new FakeRun(folder.resolve("runs"));
    run.hosts(host(""));
    assertThat(run.run(FakeRun.groupOf("put", FakeRun.settings("put").with("node-cpus", 0.5))))
        .hasSize(2)
        .allMatch(trial -> trial.why().orElse("").contains("'east'"));
  }

  @Test
  void aCommandThatDoesNotEndIsGivenUp() {
    assertThatThrownBy(
            () -> new RemoteShell(host(List.of("env"))).run(Duration.ofMillis(50), "sleep", "20"))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("'east'");
  }
}
