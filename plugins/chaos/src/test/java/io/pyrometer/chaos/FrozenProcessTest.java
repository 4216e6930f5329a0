package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class FrozenProcessTest {

  /** The third field of /proc/PID/stat, after the command in parentheses; T where it is stopped. */
  private static char state(long process) throws IOException {
    String stat = Files.readString(Path.of("/proc", String.valueOf(process), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  /** A signal takes effect some time after it was sent. */
  private static void awaitState(long process, boolean stopped) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while ((state(process) == 'T') != stopped) {
      assertThat(System.nanoTime()).as("a process that is stopped: " + stopped).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void aProcessAndItsChildrenAreStoppedUntilTheEndOfThePause() throws Exception {
    Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & wait").start();
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (parent.children().findAny().isEmpty()) {
        assertThat(System.nanoTime()).as("a shell that starts its child").isLessThan(end);
        Thread.onSpinWait();
      }
      long child = parent.children().findAny().orElseThrow().pid();
      Runnable frozen = HostFaults.freeze(Host.LOCAL, "node-0", parent.pid());
      awaitState(parent.pid(), true);
      awaitState(child, true);
      frozen.run();
      awaitState(parent.pid(), false);
      awaitState(child, false);
    } finally {
      parent.descendants().forEach(ProcessHandle::destroyForcibly);
      parent.destroyForcibly();
    }
  }

  @Test
  void aStarvedProcessIsStoppedAgainAndAgainAndRunsAfterwards() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Runnable starved = HostFaults.starve(Host.LOCAL, "node-0", process.pid());
      for (int i = 0; i < 5; i++) {
        awaitState(process.pid(), true);
        awaitState(process.pid(), false);
      }
      starved.run();
      awaitState(process.pid(), false);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProcessThatIsGoneCannotBePaused() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThatThrownBy(() -> HostFaults.freeze(Host.LOCAL, "node-0", process.pid()))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining("node-0");
  }
}
