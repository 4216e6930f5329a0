package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.message.Messages;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class FullDiskTest {
  /** Writes a file for each line that it reads, and says whether that worked. */
  private static final String SERVER =
      "mount -t tmpfs -o size=4m test \"$0\" || exit 1; echo up; while read next; do echo data"
          + " 2>/dev/null >\"$0/$next\" && echo written || echo refused; done";

  @TempDir private Path folder;

  @Test
  void nothingCanBeWrittenUntilTheEndOfTheFault() throws Exception {
    Process server =
        new ProcessBuilder(
                "unshare", "--mount", "--propagation", "private", "sh", "-c", SERVER, disk())
            .start();
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        var to = server.outputWriter(StandardCharsets.UTF_8)) {
      assumeTrue("up".equals(said.readLine()), "mounts need root");
      Runnable full = HostFaults.fillDisk(Host.LOCAL, "node-0", server.pid(), disk());
      to.write("first\n");
      to.flush();
      assertThat(said.readLine()).isEqualTo("refused");
      full.run();
      to.write("second\n");
      to.flush();
      assertThat(said.readLine()).isEqualTo("written");
      Runnable lost = HostFaults.fillDisk(Host.LOCAL, "node-0", server.pid(), disk());
      server.destroyForcibly().waitFor();
      lost.run();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void aDiskThatIsNotTheServersOwnIsNotFilled() {
    long own = ProcessHandle.current().pid();
    assertThatThrownBy(() -> HostFaults.fillDisk(Host.LOCAL, "node-0", own, disk()))
        .isInstanceOf(WorkerException.class)
        .hasMessage(Messages.format("chaos.disk-not-filled"), "node-0");
    assertThat(folder).isEmptyDirectory();
  }

  private String disk() {
    return folder.toString();
  }
}
