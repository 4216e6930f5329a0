package io.pyrometer.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The command as users have it: a process of its own. */
final class Pyrometer {
  private static final Path DIST = Path.of(System.getProperty("pyrometer.dist"));
  private static final Path TEST_DRIVERS = Path.of(System.getProperty("pyrometer.test-drivers"));
  private static final Duration WELL_IN_A_TRIAL = Duration.ofMillis(400);
  private final Path folder;
  private final Path dist;
  private final List<String> flags;
  private final String path;
  private final Map<String, String> environment = new HashMap<>();

  Pyrometer(Path folder) {
    this(folder, DIST, List.of(), System.getenv("PATH"));
  }

  private Pyrometer(Path folder, Path dist, List<String> flags, String path) {
    this.folder = folder;
    this.dist = dist;
    this.flags = flags;
    this.path = path;
  }

  /** As if started in a terminal, where somebody can answer questions. */
  Pyrometer interactive() {
    return new Pyrometer(folder, dist, List.of("-Dpyrometer.interactive=true"), path);
  }

  /** With another value of an environment variable. */
  Pyrometer with(String variable, Path value) {
    environment.put(variable, value.toString());
    return this;
  }

  /** With the programs of these folders alone. */
  Pyrometer withPath(String folders) {
    return new Pyrometer(folder, dist, flags, folders);
  }

  /** With the drivers that are for tests alone beside the null grid, and no others. */
  static Pyrometer withTestDrivers(Path folder) throws IOException {
    return withDrivers(folder, "null", "native-test");
  }

  /**
   * With these drivers and no others. Without that of the null grid the ceiling of the load
   * generator is not measured, which takes seconds.
   */
  static Pyrometer withDrivers(Path folder, String... names) throws IOException {
    Path dist = folder.resolve("dist");
    Path drivers = Files.createDirectories(dist.resolve("drivers"));
    Files.createSymbolicLink(dist.resolve("lib"), DIST.resolve("lib"));
    Files.createSymbolicLink(dist.resolve("experiments"), DIST.resolve("experiments"));
    for (String name : names) {
      Path forTests = TEST_DRIVERS.resolve(name);
      Path driver = Files.exists(forTests) ? forTests : DIST.resolve("drivers").resolve(name);
      Files.createSymbolicLink(drivers.resolve(name), driver);
    }
    return new Pyrometer(folder, dist, List.of(), System.getenv("PATH"));
  }

  record Ended(int code, String out, String err) {}

  Process start(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dpyrometer.dist=" + dist));
    command.addAll(flags);
    command.addAll(
        List.of("-cp", dist.resolve("lib") + File.separator + "*", "io.pyrometer.cli.Main"));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(folder.resolve("out.txt").toFile())
              .redirectError(folder.resolve("err.txt").toFile());
      process.environment().put("PATH", path);
      process.environment().putAll(environment);
      return process.start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Executes a command within this JVM, whose folder is not that of the tests. */
  static Ended execute(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Ended(code, out.toString(), err.toString());
  }

  Ended run(String... arguments) throws Exception {
    return end(start(arguments));
  }

  Ended end(Process process) throws Exception {
    if (!process.waitFor(600, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("The command did not end: " + text("out.txt"));
    }
    return new Ended(process.exitValue(), text("out.txt"), text("err.txt"));
  }

  String text(String name) throws IOException {
    return Files.readString(folder.resolve(name), StandardCharsets.UTF_8);
  }

  /** The one run's folder. */
  Path runFolder() throws IOException {
    try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
      return runs.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  long journalLines() {
    try (Stream<String> lines = Files.lines(runFolder().resolve("journal.jsonl"))) {
      return lines.count();
    } catch (IOException | NoSuchElementException notYet) {
      return 0;
    }
  }

  /** The worker processes that a coordinator has started and that live. */
  static List<ProcessHandle> workers(Process coordinator) {
    return coordinator.descendants().filter(ProcessHandle::isAlive).toList();
  }

  /**
   * Returns while the second trial loads. Between two trials a worker waits, and one that dies
   * there is no trial's failure, so this waits for work that the workers have done since the first.
   */
  void awaitSecondTrial(Process coordinator) throws InterruptedException {
    await("a first trial", () -> journalLines() >= 1 || !coordinator.isAlive());
    awaitWork(coordinator);
  }

  /** Returns once the workers have done some work from now on. */
  static void awaitWork(Process coordinator) throws InterruptedException {
    Duration before = cpuTime(coordinator);
    await(
        "work in a trial",
        () ->
            cpuTime(coordinator).minus(before).compareTo(WELL_IN_A_TRIAL) > 0
                || !coordinator.isAlive());
    if (!coordinator.isAlive()) {
      throw new AssertionError("The command ended before its next trial.");
    }
  }

  private static Duration cpuTime(Process coordinator) {
    return workers(coordinator).stream()
        .flatMap(worker -> worker.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("This did not come about: " + what);
      }
      Thread.sleep(50);
    }
  }
}
