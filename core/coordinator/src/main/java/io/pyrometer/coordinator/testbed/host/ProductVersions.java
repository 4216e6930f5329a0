package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The jars of other versions of a product than the one that its driver comes with. The driver's
 * folder has a Maven project {@code versions/pom.xml} that depends on the product in the version
 * {@code product.version}; Maven resolves it with the user's own settings and mirrors, once for
 * each version and content of that project, into a folder of the user's cache.
 */
final class ProductVersions {
  private static final String COPY =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies";
  private static final long PATIENCE_MINUTES = 15;

  /** The watcher must not hold the output open, which the JVM may read to its end. */
  private static final String BOUND =
      """
      exec 3<&0
      "$@" 3<&- </dev/null &
      command=$!
      { cat <&3; kill -9 $command; } >/dev/null 2>&1 3<&3 &
      watcher=$!
      exec 3<&-
      wait $command
      code=$?
      kill -9 $watcher
      exit $code
      """;

  private final Distribution distribution;
  private final Path cache;

  ProductVersions(Distribution distribution) {
    this(distribution, userCache());
  }

  ProductVersions(Distribution distribution, Path cache) {
    this.distribution = distribution;
    this.cache = cache;
  }

  static Path userCache() {
    return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
        .filter(folder -> !folder.isBlank())
        .map(Path::of)
        .orElse(Path.of(System.getProperty("user.home", "."), ".cache"))
        .resolve("pyrometer");
  }

  /** The version that settings ask for, where the driver offers versions and it is not its own. */
  private static Optional<String> other(DriverDescription driver, Settings settings) {
    return Optional.of(DriverDescription.PRODUCT_VERSION)
        .filter(setting -> driver.settings().stream().anyMatch(s -> s.name().equals(setting)))
        .filter(settings::has)
        .map(settings::text)
        .filter(version -> !version.equals(driver.version()));
  }

  /**
   * The jars of the version that settings ask for; none for the driver's own. Maven is run for a
   * version that is not in the cache.
   */
  List<Path> jars(DriverDescription driver, Settings settings) {
    Optional<String> version = other(driver, settings);
    return version.isEmpty() ? List.of() : jars(driver, version.get());
  }

  private List<Path> jars(DriverDescription driver, String version) {
    try {
      String project = Files.readString(project(driver));
      Path folder =
          cache.resolve("%s-%s-%08x".formatted(driver.name(), version, project.hashCode()));
      if (!Files.isDirectory(folder)) {
        resolve(driver, version, folder);
      }
      return Distribution.jars(folder);
    } catch (IOException | UncheckedIOException failure) {
      throw cannot(driver, version, LogTail.plain(failure.getMessage()));
    }
  }

  /** Into a folder beside it first, so that a folder of the cache is always whole. */
  private void resolve(DriverDescription driver, String version, Path folder) throws IOException {
    Files.createDirectories(cache);
    Path part = Files.createTempDirectory(cache, "part-");
    try {
      maven(driver, version, part.resolve("jars"));
      try {
        Files.move(part.resolve("jars"), folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException anotherWasFaster) {
        // Its jars are the same.
      }
    } finally {
      WorkFolders.delete(part);
    }
  }

  private void maven(DriverDescription driver, String version, Path into) throws IOException {
    Path log = into.resolveSibling("log");
    List<String> command =
        List.of(
            "sh",
            "" + distribution.root().resolve("maven/mvnw").toAbsolutePath(),
            "-q",
            "-B",
            "-f",
            "" + project(driver).toAbsolutePath(),
            "-Dproduct.version=" + version,
            "-DincludeScope=runtime",
            "-DoutputDirectory=" + into.toAbsolutePath(),
            COPY);
    ProcessBuilder builder =
        new ProcessBuilder(bound(command)).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", Jvm.OWN.home().toString());
    Process maven = builder.start();
    try {
      if (!maven.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        throw cannot(driver, version, "Maven took longer than %d min".formatted(PATIENCE_MINUTES));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw cannot(driver, version, "it was interrupted");
    } finally {
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
    }
    if (maven.exitValue() != 0 || !Files.isDirectory(into)) {
      try (Stream<String> lines = Files.lines(log)) {
        String error = lines.filter(line -> line.contains("ERROR")).findFirst().orElse("");
        throw cannot(driver, version, LogTail.plain(error.replaceFirst("^\\[ERROR] *", "")));
      }
    }
  }

  /**
   * Binds a command of this machine to this JVM, which it does not outlive, not even if the JVM is
   * killed: a shell around it waits for the end of its standard input, which the JVM holds, and
   * then kills the command. The command itself has no standard input.
   *
   * @return the command to start, with a pipe as its standard input; it ends with the exit code of
   *     the given one
   */
  static List<String> bound(List<String> command) {
    List<String> bound = new ArrayList<>(List.of("sh", "-c", BOUND, "bound"));
    bound.addAll(command);
    return bound;
  }

  private Path project(DriverDescription driver) {
    return distribution.driverFolder(driver.name()).resolve("versions/pom.xml");
  }

  private static WorkerException cannot(DriverDescription driver, String version, String why) {
    return WorkerException.gone("Maven could not fetch %s %s: %s.", driver.product(), version, why);
  }
}
