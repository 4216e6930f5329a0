package io.pyrometer.coordinator.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ProcessLimitsTest {
  private static final ProcessLimits HALF = new ProcessLimits(List.of(), 0.5, 0);

  @Test
  void aJvmCountsOnNoMoreProcessorsThanItMayUse() {
    assertThat(ProcessLimits.NONE.jvmFlags()).isEmpty();
    assertThat(HALF.jvmFlags()).containsExactly("-XX:ActiveProcessorCount=1");
    assertThat(new ProcessLimits(List.of(), 2.5, 0).jvmFlags())
        .containsExactly("-XX:ActiveProcessorCount=3");
    assertThat(new ProcessLimits(List.of(0, 1), 0, 0).jvmFlags())
        .containsExactly("-XX:ActiveProcessorCount=2");
    assertThat(new ProcessLimits(List.of(0), 2, 0).jvmFlags())
        .containsExactly("-XX:ActiveProcessorCount=1");
  }

  @Test
  void processesTakeTheProcessorsInTurn() {
    List<Integer> processors = List.of(0, 1, 2);
    assertThat(ProcessLimits.of(processors, 0, 2, 0, 0).bind(List.of("java")))
        .containsExactly("taskset", "-c", "0,1", "java");
    assertThat(ProcessLimits.of(processors, 1, 2, 0, 0).affinity()).containsExactly(0, 2);
    assertThat(ProcessLimits.of(processors, 1, 0, 0, 0).bind(List.of("java")))
        .containsExactly("java");
  }

  /** However busy the machine is, a process gets less than its quota, never more. */
  @Test
  @Timeout(120)
  void aProcessGetsNoMoreCpuTimeThanItsQuotaAndItsGroupIsRemoved() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    ProcessLimits tenth = new ProcessLimits(List.of(), 0.1, 0);
    double throttled;
    double cpuSeconds;
    double wallSeconds;
    try (ControlGroup group = ControlGroup.make("busy", tenth)) {
      group.limit(new CpuQuota(0.1, 0.01));
      long begun = System.nanoTime();
      Process busy =
          new ProcessBuilder(group.run(List.of("sh", "-c", "while :; do :; done"))).start();
      do {
        assertThat(busy.isAlive()).isTrue();
        throttled = group.throttledSeconds().orElseThrow();
      } while (throttled < 0.2);
      cpuSeconds = busy.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
      wallSeconds = (System.nanoTime() - begun) / 1e9;
      busy.destroyForcibly().waitFor();
    }
    assertThat(cpuSeconds).isLessThan(0.5 * wallSeconds);
    String mine = ControlGroup.PREFIX + ProcessHandle.current().pid() + "-";
    assertThat(groups()).noneMatch(name -> name.startsWith(mine) && name.endsWith("-busy"));
  }

  @Test
  void aRunningProcessIsGivenOtherQuotasAndNone() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    try (ControlGroup group = ControlGroup.make("changed", HALF)) {
      Path folder =
          cpuRoot()
              .resolve(
                  groups().stream()
                      .filter(name -> name.endsWith("-changed"))
                      .findFirst()
                      .orElseThrow());
      assertThat(group.throttledSeconds()).as("before its first quota").isEmpty();
      Process held = new ProcessBuilder(group.run(List.of("sh", "-c", "echo in; cat"))).start();
      try {
        assertThat(held.inputReader().readLine()).isEqualTo("in");
        group.limit(new CpuQuota(0.1, 0.01));
        assertThat(quota(folder)).isEqualTo("1000 of 10000");
        assertThat(group.throttledSeconds()).isPresent();
        group.limit(new CpuQuota(0.3, 0.02));
        assertThat(quota(folder)).isEqualTo("6000 of 20000");
        group.limit(CpuQuota.NONE);
        assertThat(quota(folder)).startsWith("none of ");
        assertThat(group.throttledSeconds()).isEmpty();
      } finally {
        held.destroyForcibly().waitFor();
      }
    }
  }

  /** What the kernel says of a group's quota, in microseconds. */
  private static String quota(Path group) throws IOException {
    Path two = group.resolve("cpu.max");
    String text =
        Files.exists(two)
            ? Files.readString(two).strip().replace(" ", " of ")
            : Files.readString(group.resolve("cpu.cfs_quota_us")).strip()
                + " of "
                + Files.readString(group.resolve("cpu.cfs_period_us")).strip();
    return text.replaceFirst("^(max|-1) ", "none ");
  }

  /**
   * What the coordinator is in the test below: it makes a group, runs a process in it and waits.
   */
  public static final class Held {
    private Held() {}

    /** Says which group it made once its process is in there. */
    public static void main(String[] none) throws Exception {
      List<String> command =
          ControlGroup.make("held", HALF).run(List.of("sh", "-c", "echo in; cat"));
      Process held = new ProcessBuilder(command).start();
      System.out.println(held.inputReader().readLine());
      held.waitFor();
    }
  }

  @Test
  @Timeout(120)
  void theGroupsOfAKilledCoordinatorAreRemovedByTheNext() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    Process coordinator =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Held.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(coordinator.inputReader().readLine()).isEqualTo("in");
    String prefix = ControlGroup.PREFIX + coordinator.pid() + "-";
    ControlGroup.removeLeftOver(cpuRoot());
    assertThat(groups()).as("those of a living one").anyMatch(name -> name.startsWith(prefix));
    List<ProcessHandle> children = coordinator.descendants().toList();
    coordinator.destroyForcibly().waitFor();
    children.forEach(child -> child.onExit().join());
    do {
      // The kernel lets go of a group a moment after its last process has ended.
      ControlGroup.removeLeftOver(cpuRoot());
    } while (groups().stream().anyMatch(name -> name.startsWith(prefix)));
  }

  @Test
  void onlyGroupsOfPyrometersOwnNamesAreTakenForLeftOver(@TempDir Path parent) throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    long dead = ended.pid();
    long alive = ProcessHandle.current().pid();
    List<String> others =
        List.of(
            "4711",
            String.valueOf(dead),
            dead + "-0-node-0",
            "x-pyrometer-" + dead + "-0-node-0",
            "pyrometer-" + dead,
            "pyrometer-" + dead + "-theirs",
            "pyrometer-" + alive + "-0-node-0");
    for (String name : others) {
      Files.createDirectory(parent.resolve(name));
    }
    Files.createDirectory(parent.resolve("pyrometer-" + dead + "-0-node-0"));
    Files.createDirectory(parent.resolve("pyrometer-" + dead + "-probe-3"));
    ControlGroup.removeLeftOver(parent);
    try (Stream<Path> left = Files.list(parent)) {
      assertThat(left.map(folder -> folder.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(others);
    }
  }

  /** A process that would run without its limits gives figures that look right. */
  @Test
  void aProcessDoesNotRunWhereItsGroupIsNotThere() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    ControlGroup group = ControlGroup.make("gone", HALF);
    List<String> command = group.run(List.of("sh", "-c", "echo it runs"));
    group.close();
    Process process = new ProcessBuilder(command).start();
    assertThat(process.inputReader().readLine()).isNull();
    assertThat(process.waitFor()).isNotZero();
  }

  private static Path cpuRoot() {
    Path root = ControlGroup.ROOT;
    return Files.isDirectory(root.resolve("cpu")) ? root.resolve("cpu") : root;
  }

  private static List<String> groups() throws IOException {
    try (Stream<Path> folders = Files.list(cpuRoot())) {
      return folders.map(folder -> folder.getFileName().toString()).toList();
    }
  }
}
