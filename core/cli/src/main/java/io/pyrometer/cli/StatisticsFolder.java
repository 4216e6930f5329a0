package io.pyrometer.cli;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;

/** A folder of files of a product's performance statistics, which the product's driver reads. */
final class StatisticsFolder {
  /** An address that is not used, since an experiment must have one. */
  private static final String NO_CLUSTER = "127.0.0.1:47500";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'statistics'-yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private StatisticsFolder() {}

  /** The name of the folder of a recording, beside those of runs. */
  static String name(Instant begin) {
    return NAME.format(begin);
  }

  /** An experiment with which an agent of the driver is started that reads such files. */
  static Experiment reader(String driver, Catalogue catalogue) {
    return ExperimentReader.read(
        DoctorCommand.GRID.formatted(driver, NO_CLUSTER, ""), "statistics", Path.of(""), catalogue);
  }

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
