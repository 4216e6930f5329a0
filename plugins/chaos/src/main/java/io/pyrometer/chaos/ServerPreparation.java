package io.pyrometer.chaos;

import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Preparation of a server's process so that faults of its own can be made: a small disk in memory,
 * which others do not see and which goes with it, and a clock that a file sets. Nothing of it
 * remains, whoever ends the process.
 */
public final class ServerPreparation {
  private static final String DISK_SIZE = "1g";
  private static final String LIBRARY = "libfaketimeMT.so.1";

  private static final String MOUNT =
      "mkdir -p \"$0\" && mount -t tmpfs -o size=" + DISK_SIZE + " pyrometer \"$0\" && exec \"$@\"";

  private static final String SET_CLOCK = "mkdir -p \"${0%/*}\" && echo +0 >\"$0\" && exec \"$@\"";

  private ServerPreparation() {}

  /** The file that says how many seconds the clock of a server is ahead, such as {@code +60}. */
  public static String clock(String workFolder) {
    return workFolder + ".clock";
  }

  /**
   * The words before the command of a server.
   *
   * @param workFolder where it stores what it stores on disk
   */
  static List<String> before(List<FaultKind> faults, String workFolder) {
    List<String> words = new ArrayList<>();
    if (faults.contains(FaultKind.DISK_FULL)) {
      words.addAll(
          List.of("unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNT, workFolder));
    }
    if (faults.contains(FaultKind.CLOCK_JUMP)) {
      String file = clock(workFolder);
      words.addAll(List.of("sh", "-c", SET_CLOCK, file, "env"));
      words.add("LD_PRELOAD=" + library().map(Path::toString).orElse(LIBRARY));
      words.add("FAKETIME_TIMESTAMP_FILE=" + file);
      words.add("FAKETIME_CACHE_DURATION=1");
      // Waits are timed by the monotonic clock, which goes on; its name depends on the version.
      words.add("FAKETIME_DONT_FAKE_MONOTONIC=1");
      words.add("DONT_FAKE_MONOTONIC=1");
      // Otherwise every wait of a JVM is far too short.
      words.add("FAKETIME_FORCE_MONOTONIC_FIX=0");
    }
    return words;
  }

  /** Why this machine cannot start servers for a fault, one sentence; empty if it can. */
  static Optional<String> lacking(FaultKind fault) {
    return switch (fault) {
      case CLOCK_JUMP ->
          library().isPresent()
              ? Optional.empty()
              : Optional.of(Messages.format("chaos.no-libfaketime"));
      case DISK_FULL ->
          mounts() ? Optional.empty() : Optional.of(Messages.format("chaos.no-mounts"));
      default -> Optional.empty();
    };
  }

  private static Optional<Path> library() {
    Path libraries = Path.of("/usr/lib");
    try (Stream<Path> folders = Files.list(libraries)) {
      return Stream.concat(
              folders, Stream.of(libraries, Path.of("/usr/lib64"), Path.of("/usr/local/lib")))
          .map(folder -> folder.resolve("faketime").resolve(LIBRARY))
          .filter(Files::exists)
          .findFirst();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  private static boolean mounts() {
    try {
      return new ProcessBuilder(
                  "unshare",
                  "--mount",
                  "--propagation",
                  "private",
                  "mount",
                  "-t",
                  "tmpfs",
                  "pyrometer",
                  System.getProperty("java.io.tmpdir"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
