package io.pyrometer.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ServerPreparationTest {
  @TempDir private Path folder;

  private Process started(FaultKind fault, String... command) throws Exception {
    assumeTrue(ServerPreparation.lacking(fault).isEmpty());
    List<String> all = new ArrayList<>(ServerPreparation.before(List.of(fault), work()));
    all.addAll(List.of(command));
    return new ProcessBuilder(all).redirectErrorStream(true).start();
  }

  private String work() {
    return folder.resolve("work/node-0").toString();
  }

  private static String line(BufferedReader from) throws Exception {
    return String.valueOf(from.readLine());
  }

  @Test
  void aServerWithoutSuchFaultsIsStartedAsItIs() {
    assertThat(ServerPreparation.before(List.of(FaultKind.KILL, FaultKind.PAUSE), work()))
        .isEmpty();
  }

  @Test
  void theDiskOfAServerIsItsOwnAndSmallAndGoesWithIt() throws Exception {
    Process server =
        started(
            FaultKind.DISK_FULL,
            "sh",
            "-c",
            "echo data >" + work() + "/file; df -m --output=size " + work() + " | tail -1; cat");
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
      assertThat(line(said).strip()).isEqualTo("1024");
      assertThat(Path.of(work())).isEmptyDirectory();
    } finally {
      server.destroy();
    }
    assertThat(server.waitFor()).isNotNegative();
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(work());
  }

  @Test
  void theClockOfAServerIsAsFarAheadAsItsFileSays() throws Exception {
    Process server =
        started(FaultKind.CLOCK_JUMP, "sh", "-c", "while read next; do date +%s; done");
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        var to = server.outputWriter(StandardCharsets.UTF_8)) {
      for (int ahead : new int[] {0, 60, 0}) {
        to.write("now\n");
        to.flush();
        long theirs = Long.parseLong(line(said));
        assertThat(theirs - System.currentTimeMillis() / 1_000).isBetween(ahead - 20L, ahead + 20L);
        // The server that has answered has made the file.
        Files.writeString(Path.of(ServerPreparation.clock(work())), "+" + (60 - ahead) + "\n");
      }
    } finally {
      server.destroy();
    }
  }
}
