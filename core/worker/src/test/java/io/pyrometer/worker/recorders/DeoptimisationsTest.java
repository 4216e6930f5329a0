package io.pyrometer.worker.recorders;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM of its own, which compiles with C2 and waits for it. */
class DeoptimisationsTest {
  @TempDir Path folder;

  /** Takes a branch of compiled code that was never taken before, and is killed afterwards. */
  static final class Program {
    private static long sum;

    private Program() {}

    private static void add(int value) {
      if (value < 0) {
        sum -= 3L * value;
      } else {
        sum += value;
      }
    }

    public static void main(String[] arguments) {
      Path folder = Path.of(arguments[0]);
      StallRecorder recorder = new StallRecorder();
      Map<String, String> unused =
          recorder.prepare(new Recorder.Setup(folder, Map.of(), Optional.empty()));
      for (int i = 0; i < 100_000; i++) {
        add(i);
      }
      recorder.start();
      long before = System.currentTimeMillis();
      add(-1);
      long after = System.currentTimeMillis();
      Recorder.Result result = recorder.stop();
      System.out.printf("%d %d %s%n", before, after, result.files());
      Runtime.getRuntime().halt(sum > 0 ? 0 : 1);
    }
  }

  @Test
  void aBranchThatCompiledCodeDidNotExpectIsADeoptimisationAtItsTime() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path own = Files.createDirectory(folder.resolve("own folder"));
    Path out = folder.resolve("out.txt");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xbatch",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                own.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      program.destroyForcibly();
    }
    assertThat(program.exitValue()).as(Files.readString(out)).isZero();
    String[] times = Files.readString(out).split(" ", 3);
    List<GridActivity> deoptimisations =
        Json.LINES
            .readerForListOf(GridActivity.class)
            .readValue(
                Json.LINES
                    .readTree(own.resolve(GridActivity.FILE).toFile())
                    .get(GridActivity.DEOPTIMISATION));
    assertThat(deoptimisations)
        .anySatisfy(
            it -> {
              assertThat(it.endMillis()).isGreaterThanOrEqualTo(Long.parseLong(times[0]));
              assertThat(it.startMillis()).isLessThanOrEqualTo(Long.parseLong(times[1]));
            });
    assertThat(temporary).as("a killed JVM leaves nothing there").isEmptyDirectory();
  }
}
