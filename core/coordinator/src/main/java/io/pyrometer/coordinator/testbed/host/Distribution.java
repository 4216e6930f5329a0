package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.process.ProcessLimits;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.message.Messages;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The built Pyrometer: {@code lib/} for the coordinator, {@code drivers/NAME/} for the worker
 * processes of each driver, whose classes the coordinator never loads, and other folders for those
 * of agents that need more than the driver.
 */
public record Distribution(Path root) {
  /** The name of a jar up to its version. */
  private static final Pattern ARTIFACT = Pattern.compile("(.+?)-\\d[^/]*\\.jar");

  /** The property that names the start script of a source tree, which builds drivers. */
  private static final String LAUNCHER = "pyrometer.launcher";

  private static final Duration DESCRIBE_TIMEOUT = Duration.ofSeconds(60);

  /** Set to {@code make}, has each process that is asked to end write an archive of its classes. */
  private static final String ARCHIVE = "pyrometer.archive";

  /**
   * Program that a worker process runs.
   *
   * @param driver whose worker it is
   * @param jvm that runs it
   * @param productJars of another version of the product than the driver comes with, which replace
   *     the driver's of the same names; none for the driver's own version
   * @param classesBefore those that go before all others
   * @param libraries folder of the distribution whose jars come last in the class path
   */
  public record Program(
      DriverDescription driver,
      Jvm jvm,
      List<Path> productJars,
      List<Path> classesBefore,
      Optional<String> libraries) {
    public Program {
      productJars = List.copyOf(productJars);
      classesBefore = List.copyOf(classesBefore);
    }

    /** The driver as it was built, on the JVM that runs Pyrometer. */
    public static Program of(DriverDescription driver) {
      return new Program(driver, Jvm.OWN, List.of(), List.of(), Optional.empty());
    }

    /** Returns whether archived classes of the driver fit it, were there some. */
    boolean asBuilt() {
      return jvm.own() && productJars.isEmpty() && libraries.isEmpty();
    }
  }

  /** The commit of the sources, as the build noted it; empty where it did not. */
  public String commit() {
    try {
      return Files.readString(root.resolve("commit")).strip();
    } catch (IOException notNoted) {
      return "";
    }
  }

  public String version() {
    return Optional.ofNullable(Distribution.class.getPackage().getImplementationVersion())
        .orElse("unreleased");
  }

  public List<DriverDescription> drivers() {
    return Catalogue.drivers(root);
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
    try {
      String classes = classPath(Program.of(driver), List.of());
      String[] describe = {
        Jvm.OWN.java(), "-Xmx64m", "-cp", classes, "io.pyrometer.worker.Describe", driver.name()
      };
      String said = new RemoteShell(Host.LOCAL).run(DESCRIBE_TIMEOUT, describe).output();
      return Optional.of(said.strip()).filter(sentence -> !sentence.isEmpty());
    } catch (WorkerException failure) {
      return Optional.of(failure.sentence());
    }
  }

  /**
   * The flags of a worker JVM.
   *
   * @param heapBytes of the JVM, which it has from the start so that it does not grow in a trial
   * @param limits that the process is started under
   */
  public List<String> jvmFlags(Program program, long heapBytes, ProcessLimits limits) {
    List<String> flags = new ArrayList<>(program.driver().jvmFlags(program.jvm().feature()));
    flags.addAll(limits.jvmFlags());
    flags.addAll(List.of("-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+ExitOnOutOfMemoryError"));
    // What the JVM itself prints belongs in the log, not among the worker's answers.
    flags.add("-XX:+DisplayVMOutputToStderr");
    return flags;
  }

  /**
   * The command that starts a worker JVM on this machine.
   *
   * @param jvmFlags of {@link #jvmFlags}
   * @param after the user's own classes
   * @param archived whether archived classes of the driver are used, where there are some that fit
   */
  List<String> workerCommand(
      Program program, List<String> jvmFlags, List<Path> after, boolean archived) {
    String driver = program.driver().name();
    List<String> command = new ArrayList<>(List.of(program.jvm().java()));
    command.addAll(jvmFlags);
    if (archived && program.asBuilt()) {
      command.addAll(archiveFlags(driverFolder(driver)));
    }
    command.addAll(List.of("-cp", classPath(program, after), "io.pyrometer.worker.Worker", driver));
    return command;
  }

  /** A driver's folder, with its jars. */
  Path driverFolder(String driver) {
    build(List.of(driver));
    return folder(driver);
  }

  private Path folder(String driver) {
    return root.resolve("drivers").resolve(driver);
  }

  /**
   * Builds those of the drivers whose jars are missing, where this is a source tree, whose first
   * build makes only the drivers of the default run.
   *
   * @throws RunException if the build fails, which has then said why
   */
  public void build(Collection<String> drivers) {
    synchronized (LAUNCHER) {
      List<String> missing =
          drivers.stream()
              .distinct()
              .filter(driver -> Files.isDirectory(folder(driver)) && jars(folder(driver)).isEmpty())
              .toList();
      if (!missing.isEmpty() && !launch("--build-drivers", missing)) {
        throw RunException.of(
            Messages.format("coordinator.build-failed"), String.join(", ", missing));
      }
    }
  }

  /** Returns whether processes that are asked to end write an archive of their classes. */
  public static boolean archivesClasses() {
    return "make".equals(System.getProperty(ARCHIVE));
  }

  /**
   * The flags for the archive of a driver's classes, which the start script has made once after a
   * build. A JVM that it does not fit does without it.
   */
  static List<String> archiveFlags(Path driver) {
    Path archive = driver.resolve("classes-" + Runtime.version() + ".jsa");
    if (archivesClasses()) {
      return List.of("-XX:ArchiveClassesAtExit=" + archive + ".part");
    }
    return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
  }

  /** Makes the class archives once, with which later processes start faster. */
  public void archiveClasses() {
    if (!Files.exists(root.resolve("archived"))) {
      boolean unused = launch("--archive", List.of());
    }
  }

  /** Returns whether the start script did something; true where this is no source tree. */
  private static boolean launch(String what, List<String> arguments) {
    String launcher = System.getProperty(LAUNCHER, "");
    if (launcher.isEmpty()) {
      return true;
    }
    List<String> command = new ArrayList<>(List.of(launcher, what));
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command)
              .redirectInput(new File("/dev/null"))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor()
          == 0;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String classPath(Program program, List<Path> after) {
    List<String> path = new ArrayList<>();
    program.classesBefore().forEach(entry -> path.add(entry.toAbsolutePath().toString()));
    Path own = driverFolder(program.driver().name());
    if (program.productJars().isEmpty()) {
      path.add(own + "/*");
    } else {
      program.productJars().forEach(jar -> path.add(jar.toString()));
      without(jars(own), program.productJars()).forEach(jar -> path.add(jar.toString()));
    }
    after.forEach(entry -> path.add(entry.toAbsolutePath().toString()));
    program.libraries().ifPresent(folder -> path.add(root.resolve(folder) + "/*"));
    return String.join(File.pathSeparator, path);
  }

  static List<Path> jars(Path folder) {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A driver's jars without those that are among others in another version. */
  static List<Path> without(List<Path> own, List<Path> replacing) {
    List<String> names = replacing.stream().map(Distribution::artifact).toList();
    return own.stream().filter(jar -> !names.contains(artifact(jar))).toList();
  }

  private static String artifact(Path jar) {
    String name = String.valueOf(jar.getFileName());
    Matcher matcher = ARTIFACT.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }
}
