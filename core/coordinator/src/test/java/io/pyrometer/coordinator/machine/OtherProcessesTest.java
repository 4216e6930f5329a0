package io.pyrometer.coordinator.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class OtherProcessesTest {

  @Test
  void theProgramThatWorksMeanwhileIsNamedAndOurOwnChildrenAreNot() throws Exception {
    OtherProcesses before = OtherProcesses.now();
    Process child = new ProcessBuilder("sleep", "60").start();
    // The shell that starts it ends at once, so that it is nobody's child any more.
    Process shell = new ProcessBuilder("sh", "-c", "while :; do :; done & echo $!").start();
    long pid = Long.parseLong(shell.inputReader(StandardCharsets.UTF_8).readLine());
    ProcessHandle busy = ProcessHandle.of(pid).orElseThrow();
    try {
      shell.waitFor();
      String name = Path.of(busy.info().command().orElseThrow()).getFileName().toString();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (OtherProcesses.now().secondsSince(before).getOrDefault(name, 0.0) < 0.1) {
        assertThat(System.nanoTime()).as("CPU time of " + name).isLessThan(end);
        Thread.sleep(20);
      }
      assertThat(OtherProcesses.now().used())
          .containsKey(busy)
          .doesNotContainKeys(ProcessHandle.current(), child.toHandle());
    } finally {
      busy.destroyForcibly();
      child.destroyForcibly();
    }
  }
}
