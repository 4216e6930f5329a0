package io.pyrometer.coordinator.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoundCommandTest {
  private static Process start(String... command) throws Exception {
    return new ProcessBuilder(BoundCommand.of(List.of(command))).start();
  }

  @Test
  void outputAndExitCodeAreThoseOfTheCommand() throws Exception {
    Process process = start("sh", "-c", "echo \"$0\"; exit 3", "two words");
    assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo("two words\n");
    assertThat(process.waitFor()).isEqualTo(3);
    process.getOutputStream().close();
  }

  /** Closing the input is all that the kernel does when it kills the JVM that started it. */
  @Test
  void theCommandIsKilledWhenTheInputEnds() throws Exception {
    Process process = start("sh", "-c", "echo $$; exec sleep 600");
    long pid = Long.parseLong(process.inputReader().readLine());
    ProcessHandle command = ProcessHandle.of(pid).orElseThrow();
    process.getOutputStream().close();
    command.onExit().join();
    assertThat(process.waitFor()).isEqualTo(137);
  }
}
