package io.pyrometer.chaos.trial;

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
  private static char state(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  /** A signal takes effect some time after it was sent. */
  private static void awaitState(Process process, boolean stopped) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while ((state(process) == 'T') != stopped) {
      assertThat(System.nanoTime()).as("a process that is stopped: " + stopped).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void aProcessIsStoppedUntilTheEndOfThePause() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      FrozenProcess frozen = FrozenProcess.freeze(Host.LOCAL, "node-0", process.pid());
      awaitState(process, true);
      frozen.close();
      awaitState(process, false);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProcessThatIsGoneCannotBePaused() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThatThrownBy(() -> FrozenProcess.freeze(Host.LOCAL, "node-0", process.pid()))
        .isInstanceOf(WorkerException.class)
        .hasMessage("node-0 cannot be paused: kill -STOP failed.");
  }
}
