package io.pyrometer.coordinator.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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

  @Test
  void throttlingIsReadInBothFormsOfTheKernel() {
    Throttling one =
        ControlGroup.parse(
            List.of("nr_periods 40", "nr_throttled 30", "throttled_time 1500000000"));
    Throttling two =
        ControlGroup.parse(
            List.of("usage_usec 1", "nr_periods 40", "nr_throttled 30", "throttled_usec 1500000"));
    assertThat(one).isEqualTo(two).isEqualTo(new Throttling(40, 30, 1.5));
    assertThat(new Throttling(50, 35, 2).since(one)).isEqualTo(new Throttling(10, 5, 0.5));
  }

  @Test
  void moreCpusThanThereAreIsOneSentence() {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    assertThat(ControlGroup.lacking(new ProcessLimits(List.of(), 10_000, 0)).orElseThrow())
        .contains("10000.0 CPUs", "lower node-cpus");
  }

  /** The CPU time that a busy process gets in a wall second is its quota, whatever else runs. */
  @Test
  void aProcessGetsNoMoreCpuTimeThanItsQuotaAndItsGroupIsRemoved() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    ProcessLimits tenth = new ProcessLimits(List.of(), 0.1, 0);
    Throttling throttling;
    double cpuSeconds;
    double wallSeconds;
    try (ControlGroupGuard guard = new ControlGroupGuard();
        ControlGroup group = ControlGroup.make("busy", tenth, guard)) {
      group.limit(new CpuQuota(0.1, 0.01));
      long begun = System.nanoTime();
      Process busy =
          new ProcessBuilder(group.run(List.of("sh", "-c", "while :; do :; done"))).start();
      assertThat(busy.waitFor(2, TimeUnit.SECONDS)).isFalse();
      wallSeconds = (System.nanoTime() - begun) / 1e9;
      cpuSeconds = busy.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
      throttling = group.throttling().orElseThrow();
      busy.destroyForcibly().waitFor();
    }
    assertThat(cpuSeconds / wallSeconds).isLessThan(0.2).isGreaterThan(0.01);
    assertThat(throttling.throttled()).isGreaterThan(10);
    // On a busy machine it waits for a processor for a part of the time that it may not run.
    assertThat(throttling.throttledSeconds() / wallSeconds).isBetween(0.01, 1.1);
    String mine = ControlGroup.PREFIX + ProcessHandle.current().pid() + "-";
    assertThat(groups()).noneMatch(name -> name.startsWith(mine) && name.endsWith("-busy"));
  }

  /** Quotas of 0.1, 0.2 and none in turn; the last must not be taken for one of nothing. */
  @Test
  void aRunningProcessIsGivenOtherQuotasAndNone() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    try (ControlGroupGuard guard = new ControlGroupGuard();
        ControlGroup group = ControlGroup.make("changed", HALF, guard)) {
      assertThat(group.throttling()).as("before its first quota").isEmpty();
      Process busy =
          new ProcessBuilder(group.run(List.of("sh", "-c", "while :; do :; done"))).start();
      try {
        group.limit(new CpuQuota(0.1, 0.01));
        double tenth = share(busy);
        group.limit(new CpuQuota(0.3, 0.01));
        double three = share(busy);
        group.limit(CpuQuota.NONE);
        assertThat(group.throttling()).isEmpty();
        double all = share(busy);
        assertThat(tenth).isBetween(0.02, 0.2);
        assertThat(three).isBetween(tenth, 0.4);
        assertThat(all).as("without a quota").isGreaterThan(tenth);
      } finally {
        busy.destroyForcibly().waitFor();
      }
    }
  }

  private static double share(Process busy) throws Exception {
    double before = seconds(busy);
    long begun = System.nanoTime();
    Thread.sleep(500);
    return (seconds(busy) - before) / ((System.nanoTime() - begun) / 1e9);
  }

  private static double seconds(Process busy) {
    return busy.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  @Test
  void aShareThatIsTooSmallForTheKernelLengthensThePeriod() {
    CpuQuota small = new CpuQuota(0.05, 0.01);
    assertThat(small.micros(1_000)).isEqualTo(1_000);
    assertThat(small.periodMicros(1_000)).isEqualTo(20_000);
    CpuQuota large = new CpuQuota(0.4, 0.01);
    assertThat(large.micros(1_000)).isEqualTo(4_000);
    assertThat(large.periodMicros(1_000)).isEqualTo(10_000);
  }

  /**
   * What the coordinator is in the test below: it makes a group, runs a process in it and waits.
   */
  public static final class Held {
    private Held() {}

    /** Says which group it made once its process is in there. */
    public static void main(String[] none) throws Exception {
      ControlGroupGuard guard = new ControlGroupGuard();
      List<String> command =
          ControlGroup.make("held", HALF, guard).run(List.of("sh", "-c", "echo in; cat"));
      Process held = new ProcessBuilder(command).start();
      System.out.println(held.inputReader().readLine() + " " + guard.prefix());
      held.waitFor();
    }
  }

  @Test
  void theGroupsOfAKilledCoordinatorAreRemoved() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    Process coordinator =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Held.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = coordinator.inputReader().readLine();
    assertThat(said).startsWith("in pyrometer-");
    String prefix = said.substring(3);
    assertThat(groups()).anyMatch(name -> name.startsWith(prefix));
    coordinator.destroyForcibly().waitFor();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (groups().stream().anyMatch(name -> name.startsWith(prefix))) {
      assertThat(System.nanoTime()).as("left behind: %s", groups()).isLessThan(until);
      Thread.sleep(50);
    }
  }

  /** A process that would run without its limits gives figures that look right. */
  @Test
  void aProcessDoesNotRunWhereItsGroupIsNotThere() throws Exception {
    assumeTrue(ControlGroup.lacking(HALF).isEmpty());
    try (ControlGroupGuard guard = new ControlGroupGuard()) {
      ControlGroup group = ControlGroup.make("gone", HALF, guard);
      List<String> command = group.run(List.of("sh", "-c", "echo it runs"));
      group.close();
      Process process = new ProcessBuilder(command).start();
      assertThat(process.inputReader().readLine()).isNull();
      assertThat(process.waitFor()).isNotZero();
    }
  }

  private static List<String> groups() throws IOException {
    Path root = Path.of("/sys/fs/cgroup");
    Path cpu = Files.isDirectory(root.resolve("cpu")) ? root.resolve("cpu") : root;
    try (Stream<Path> folders = Files.list(cpu)) {
      return folders.map(folder -> folder.getFileName().toString()).toList();
    }
  }
}
