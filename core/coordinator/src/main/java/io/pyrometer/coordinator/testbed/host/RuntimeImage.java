package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.spi.ToolProvider;

/**
 * The Java runtime that hosts without one are sent: a copy of this JDK's by {@code jlink}, made
 * once in the user's cache.
 */
final class RuntimeImage {
  /** Names of an architecture by Java and by {@code uname -m}, where they differ. */
  private static final Map<String, String> BY_UNAME = Map.of("amd64", "x86_64", "arm64", "aarch64");

  private RuntimeImage() {}

  /**
   * @param system what {@code uname -sr} and {@code uname -m} say on a host
   */
  static boolean runsOn(String system) {
    String[] words = system.split(" ", -1);
    return words[0].equals(System.getProperty("os.name"))
        && uname(words[words.length - 1]).equals(uname(System.getProperty("os.arch", "")));
  }

  private static String uname(String architecture) {
    return BY_UNAME.getOrDefault(architecture, architecture);
  }

  /**
   * @param cache folder that images are kept in
   * @throws WorkerException if this JDK cannot make one
   */
  static Path in(Path cache) {
    Path image = cache.resolve("runtime-" + Runtime.version());
    if (Files.isExecutable(image.resolve("bin").resolve("java"))) {
      return image;
    }
    try {
      make(cache, image);
      return image;
    } catch (IOException failure) {
      throw cannot(String.valueOf(failure.getMessage()));
    }
  }

  /** Into a folder beside it first, so that an image in the cache is always whole. */
  private static void make(Path cache, Path image) throws IOException {
    ToolProvider jlink =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> cannot("Pyrometer runs on a Java runtime without jlink"));
    Files.createDirectories(cache);
    Path part = Files.createTempDirectory(cache, "part-");
    try {
      StringWriter said = new StringWriter();
      PrintWriter out = new PrintWriter(said);
      int code =
          jlink.run(
              out,
              out,
              "--module-path",
              Jvm.OWN.home().resolve("jmods").toString(),
              "--add-modules",
              "ALL-MODULE-PATH",
              "--no-header-files",
              "--no-man-pages",
              "--output",
              part.resolve("image").toString());
      if (code != 0) {
        throw cannot(said.toString().lines().findFirst().orElse(LogTail.exit(code)));
      }
      try {
        Files.move(part.resolve("image"), image, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException | DirectoryNotEmptyException anotherWasFaster) {
        // It is a copy of the same runtime.
      }
    } finally {
      WorkFolders.delete(part);
    }
  }

  private static WorkerException cannot(String why) {
    return WorkerException.gone(
        "A Java runtime for hosts ('java: bundled') cannot be made: %s. Run Pyrometer on a JDK, or install a JVM on the hosts.",
        LogTail.plain(why));
  }
}
