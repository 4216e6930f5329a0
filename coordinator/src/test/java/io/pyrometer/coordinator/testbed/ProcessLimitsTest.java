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
    try (ControlGroup group = ControlGroup.make("busy", tenth)) {
      long begun = System.nanoTime();
      Process busy =
          new ProcessBuilder(group.run(List.of("sh", "-c", "while :; do :; done"))).start();
      assertThat(busy.waitFor(2, TimeUnit.SECONDS)).isFalse();
      wallSeconds = (System.nanoTime() - begun) / 1e9;
      cpuSeconds = busy.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
      throttling = group.throttling();
      busy.destroyForcibly().waitFor();
    }
    assertThat(cpuSeconds / wallSeconds).isLessThan(0.2).isGreaterThan(0.01);
    assertThat(throttling.throttled()).isGreaterThan(10);
    // On a busy machine it waits for a processor for a part of the time that it may not run.
    assertThat(throttling.throttledSeconds() / wallSeconds).isBetween(0.01, 1.1);
    assertThat(groups()).noneMatch(name -> name.endsWith("-busy"));
  }

  private static List<String> groups() throws IOException {
    Path root = Path.of("/sys/fs/cgroup");
    Path cpu = Files.isDirectory(root.resolve("cpu")) ? root.resolve("cpu") : root;
    try (Stream<Path> folders = Files.list(cpu)) {
      return folders.map(folder -> folder.getFileName().toString()).toList();
    }
  }
}
