package io.pyrometer.coordinator.testbed;

import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The built Pyrometer: {@code lib/} for the coordinator, {@code drivers/NAME/} for the worker
 * processes of each driver, whose classes the coordinator never loads, and {@code jmh/} for those
 * of them that run benchmarks.
 */
public record Distribution(Path root) {
  private static final String DESCRIPTION = "driver.json";

  /** The folder of JMH and the benchmarks, apart from every product's. */
  private static final String JMH = "jmh";

  /** The commit of the sources, as the build noted it; empty where it did not. */
  public String commit() {
    try {
      return Files.readString(root.resolve("commit")).strip();
    } catch (IOException notNoted) {
      return "";
    }
  }

  /** Pyrometer's own version. */
  public String version() {
    return Optional.ofNullable(Distribution.class.getPackage().getImplementationVersion())
        .orElse("unreleased");
  }

  /** The drivers that are there, by name. */
  public List<DriverDescription> drivers() {
    Path drivers = root.resolve("drivers");
    if (!Files.isDirectory(drivers)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(drivers)) {
      return folders
          .map(folder -> folder.resolve(DESCRIPTION))
          .filter(Files::isRegularFile)
          .map(Distribution::read)
          .sorted(Comparator.comparing(DriverDescription::name))
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static DriverDescription read(Path file) {
    try {
      return Json.LINES.readValue(file.toFile(), DriverDescription.class);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Why servers of a product cannot be started on this machine, in one sentence of its driver's;
   * empty where nothing is missing. Only native servers can be missing: all else comes with the
   * driver.
   */
  public Optional<String> missing(DriverDescription driver) {
    if (!driver.servers().nativeProcess()) {
      return Optional.empty();
    }
    List<String> command =
        List.of(
            java(),
            "-Xmx64m",
            "-cp",
            classPath(driver.name(), List.of(), List.of()),
            "io.pyrometer.worker.Describe",
            driver.name());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String sentence =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      process.waitFor();
      return Optional.of(sentence).filter(text -> !text.isEmpty());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * The flags of a worker JVM of a driver.
   *
   * @param heapBytes of the JVM, which it has from the start so that it does not grow in a trial
   * @param limits that the process is started under
   */
  public List<String> jvmFlags(DriverDescription driver, long heapBytes, ProcessLimits limits) {
    List<String> flags = new ArrayList<>(productFlags(driver));
    flags.addAll(limits.jvmFlags());
    flags.add("-Xms" + heapBytes);
    flags.add("-Xmx" + heapBytes);
    flags.add("-XX:+ExitOnOutOfMemoryError");
    // What the JVM itself prints belongs in the log, not among the worker's answers.
    flags.add("-XX:+DisplayVMOutputToStderr");
    return flags;
  }

  /**
   * The command that starts a worker JVM of a driver on this machine's JDK.
   *
   * @param jvmFlags of {@link #jvmFlags}
   * @param before classes that replace those of the driver which have their names
   * @param after the user's own classes
   * @param archived whether archived classes of the driver are used, where there are some
   * @param benchmarks whether the worker runs benchmarks, so that its class path holds JMH
   */
  List<String> workerCommand(
      DriverDescription driver,
      List<String> jvmFlags,
      List<Path> before,
      List<Path> after,
      boolean archived,
      boolean benchmarks) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(jvmFlags);
    if (archived && !benchmarks) {
      command.addAll(ClassArchive.flags(driverFolder(driver.name())));
    }
    command.add("-cp");
    command.add(
        classPath(driver.name(), before, after)
            + (benchmarks ? File.pathSeparator + root.resolve(JMH) + "/*" : ""));
    command.add("io.pyrometer.worker.Worker");
    command.add(driver.name());
    return command;
  }

  /** What a JVM of this one's version must be started with for the driver. */
  public static List<String> productFlags(DriverDescription driver) {
    int jdk = Runtime.version().feature();
    return driver.jvmFlags().stream()
        .filter(flags -> flags.fromJdk() <= jdk)
        .flatMap(flags -> flags.flags().stream())
        .toList();
  }

  Path driverFolder(String driver) {
    return root.resolve("drivers").resolve(driver);
  }

  private String classPath(String driver, List<Path> before, List<Path> after) {
    List<String> path = new ArrayList<>();
    before.forEach(entry -> path.add(entry.toAbsolutePath().toString()));
    path.add(driverFolder(driver) + "/*");
    after.forEach(entry -> path.add(entry.toAbsolutePath().toString()));
    return String.join(File.pathSeparator, path);
  }
}
