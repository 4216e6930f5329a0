package io.pyrometer.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A folder of files of a product's performance statistics, which the product's driver reads. */
final class StatisticsFolder {
  /** Where no cluster is reached, though an experiment must name one. */
  static final String NO_CLUSTER = "127.0.0.1:47500";

  private StatisticsFolder() {}

  /** Returns whether a path is such a folder. */
  static boolean is(Path path) {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(path)) {
      return files.anyMatch(
          file -> String.valueOf(file.getFileName()).matches(".+\\.prf(\\.gz)?"));
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }
}
