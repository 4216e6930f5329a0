package io.pyrometer.coordinator.testbed.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The classes of a driver's processes as a JVM keeps them ready to map (application class data
 * sharing). The start script has it made once after a build; a JVM that it was not made by, or
 * whose class path is another, does without it.
 */
public final class ClassArchive {
  /** Set to {@code make}, has each process that is asked to end write the archive. */
  private static final String PROPERTY = "pyrometer.archive";

  private ClassArchive() {}

  /** Whether the archive is to be written by processes that are asked to end. */
  public static boolean isMade() {
    return "make".equals(System.getProperty(PROPERTY));
  }

  /**
   * The flags of a worker's JVM.
   *
   * @param driver the folder of the driver's classes
   */
  static List<String> flags(Path driver) {
    Path archive = driver.resolve("classes-" + Runtime.version() + ".jsa");
    if (isMade()) {
      return List.of("-XX:ArchiveClassesAtExit=" + archive + ".part");
    }
    return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
  }
}
