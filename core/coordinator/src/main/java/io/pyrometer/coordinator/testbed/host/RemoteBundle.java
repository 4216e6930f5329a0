package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.DriverDescription;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Bundle of what a host needs to run workers: the drivers' jars, the user's classes and
 * configuration file, and a script that starts a worker. Named by a digest of its content, so that
 * a host which has it already is not sent it again.
 *
 * @param name of the folder that it unpacks to
 * @param stage a temporary folder that holds that folder, of links
 */
record RemoteBundle(String name, Path stage) implements AutoCloseable {
  static final String START = "start";
  static final String CONFIG = "config";

  /** Last in the archive, so that only a complete archive has it. */
  static final String COMPLETE = "complete";

  private static final String NONCE = "nonce";
  private static final Duration QUICK = Duration.ofSeconds(60);

  private static final String SCRIPT =
      """
      #!/bin/sh
      # start JAVA DRIVER FLAG...
      here=$(cd "$(dirname "$0")" && pwd) || exit 1
      java=$1
      driver=$2
      shift 2
      path="$here/drivers/$driver/*"
      for part in "$here"/classes/*; do
        [ -e "$part" ] && path="$path:$part"
      done
      exec "$java" "$@" -cp "$path" io.pyrometer.worker.Worker "$driver"
      """;

  static RemoteBundle pack(
      Distribution distribution,
      Collection<DriverDescription> drivers,
      List<Path> classPath,
      Optional<Path> config) {
    Path stage = newStage();
    try {
      Path inside = Files.createDirectory(stage.resolve("content"));
      Path jars = Files.createDirectory(inside.resolve("drivers"));
      for (DriverDescription driver : drivers) {
        Files.createSymbolicLink(
            jars.resolve(driver.name()), distribution.driverFolder(driver.name()).toAbsolutePath());
      }
      Path classes = Files.createDirectory(inside.resolve("classes"));
      for (int i = 0; i < classPath.size(); i++) {
        Path part = classPath.get(i).toAbsolutePath();
        Files.createSymbolicLink(classes.resolve(i + "-" + part.getFileName()), part);
      }
      if (config.isPresent()) {
        Files.copy(config.get(), inside.resolve(CONFIG));
      }
      Files.writeString(inside.resolve(START), SCRIPT);
      Files.writeString(inside.resolve(COMPLETE), "");
      Files.writeString(stage.resolve(NONCE), UUID.randomUUID().toString());
      String name = "pyrometer-" + digest(inside);
      Path unused = Files.move(inside, stage.resolve(name));
      return new RemoteBundle(name, stage);
    } catch (IOException failure) {
      new RemoteBundle("", stage).close();
      throw cannot(failure);
    }
  }

  private static Path newStage() {
    try {
      return Files.createTempDirectory("pyrometer-bundle");
    } catch (IOException failure) {
      throw cannot(failure);
    }
  }

  Path folder() {
    return stage.resolve(name);
  }

  /**
   * Returns whether commands on a host see this very bundle, so that nothing needs to be shipped:
   * asked by a random text that the bundle holds.
   */
  boolean isVisibleTo(RemoteShell host) {
    RemoteShell.Ended said = host.run(QUICK, "cat", stage.resolve(NONCE).toString());
    try {
      return said.code() == 0 && said.output().equals(Files.readString(stage.resolve(NONCE)));
    } catch (IOException failure) {
      throw cannot(failure);
    }
  }

  /** As a tar file, which is made when it is first asked for. */
  InputStream archive() {
    Path archive = stage.resolve("bundle.tar");
    try {
      if (!Files.exists(archive)) {
        tar(archive, stage.resolve(name));
      }
      return Files.newInputStream(archive);
    } catch (IOException failure) {
      throw cannot(failure);
    }
  }

  private static WorkerException cannot(IOException failure) {
    return WorkerException.lost("coordinator.bundle-failed", LogTail.plain(failure.getMessage()));
  }

  private void tar(Path archive, Path folder) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("tar", "-c", "-h", "-f", archive.toString(), "-C", "" + stage));
    List<String> parts = new ArrayList<>();
    try (Stream<Path> inside = Files.list(folder)) {
      inside.map(part -> folder.getFileName() + "/" + part.getFileName()).forEach(parts::add);
    }
    parts.sort(Comparator.comparing((String part) -> part.endsWith("/" + COMPLETE)));
    command.addAll(parts);
    Process tar = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!tar.waitFor(5, TimeUnit.MINUTES) || tar.exitValue() != 0) {
        throw new IOException("the command tar failed");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("the command tar was interrupted");
    }
  }

  @Override
  public void close() {
    WorkFolders.delete(stage);
  }

  private static String digest(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        digest.update(folder.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK knows SHA-256.", impossible);
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
  }
}
