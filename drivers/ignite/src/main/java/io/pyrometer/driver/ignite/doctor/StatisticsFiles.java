package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.ignite.internal.processors.performancestatistics.FilePerformanceStatisticsReader;

/**
 * Files of Ignite's performance statistics ({@code node-ID.prf}), plain or compressed by gzip.
 *
 * @param statistics the aggregate of all files
 * @param files those that were read
 * @param bytes the sum of their sizes as they lie there
 * @param truncated names of files that end within a record
 */
record StatisticsFiles(
    PerformanceStatistics statistics, List<Path> files, long bytes, List<String> truncated) {
  /** The name of what could not be judged for want of files. */
  static final String UNREAD = "statistics-files";

  /** The length of the name before the node's id. */
  private static final int ID = "node-".length();

  private static final String COMPRESSED = ".gz";
  private static final Pattern NAME =
      Pattern.compile("node-[-0-9a-fA-F]{36}(-\\d+)?\\.prf(\\.gz)?");
  private static final Pattern ANY_NAME = Pattern.compile(".+\\.prf(\\.gz)?");

  /** The ids of the nodes, also of those without a record. */
  Set<UUID> nodes() {
    return files.stream()
        .map(file -> String.valueOf(file.getFileName()).substring(ID, ID + 36))
        .map(UUID::fromString)
        .collect(Collectors.toSet());
  }

  /** The reason why not all records could be read, by the name under which a report has it. */
  Map<String, Unjudged> unread() {
    return truncated.isEmpty()
        ? Map.of()
        : Map.of(UNREAD, new Unjudged("truncated", Map.of("files", Value.names(truncated))));
  }

  /** The files below a folder, by their names. */
  static List<Path> names(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> ANY_NAME.matcher(String.valueOf(file.getFileName())).matches())
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException unreadable) {
      throw GridException.of("The folder '%s' cannot be read.", folder, unreadable);
    }
  }

  /**
   * Reads the files below a folder.
   *
   * @throws GridException with one sentence if there is none, one is something else, or no file has
   *     a record
   */
  static StatisticsFiles below(Path folder) {
    List<Path> files = names(folder);
    if (files.isEmpty()) {
      throw GridException.of(
          "The folder '%s' holds neither a run nor files of performance statistics, node-ID.prf or"
              + " node-ID.prf.gz.",
          folder);
    }
    PerformanceStatistics statistics = new PerformanceStatistics();
    List<String> truncated = new ArrayList<>();
    long bytes = 0;
    for (Path file : files) {
      try {
        bytes += Files.size(file);
        if (!whole(file, statistics)) {
          truncated.add(String.valueOf(file.getFileName()));
        }
      } catch (IOException | RuntimeException foreign) {
        throw GridException.of(
            "'%s' is no file of Ignite's performance statistics, or is damaged: remove it.",
            file, foreign);
      }
    }
    statistics.complete();
    if (statistics.nodes().isEmpty()) {
      throw GridException.of(
          "The files in '%s' have no record yet: nodes write them when the recording stops, or a"
              + " buffer is full.",
          folder);
    }
    return new StatisticsFiles(statistics, files, bytes, truncated);
  }

  /** Reads a file; false if it ends within a record. */
  private static boolean whole(Path file, PerformanceStatistics statistics) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (!NAME.matcher(name).matches()) {
      throw new IOException("Ignite's reader knows the node by the name of the file.");
    }
    if (!name.endsWith(COMPRESSED)) {
      return wholePlain(file, statistics);
    }
    Path folder = Files.createTempDirectory("pyrometer-statistics-");
    Path plain = folder.resolve(name.substring(0, name.length() - COMPRESSED.length()));
    boolean cut = false;
    try {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
          OutputStream out = Files.newOutputStream(plain)) {
        long unused = in.transferTo(out);
      } catch (EOFException end) {
        cut = true;
      }
      return wholePlain(plain, statistics) && !cut;
    } finally {
      Files.deleteIfExists(plain);
      Files.deleteIfExists(folder);
    }
  }

  private static boolean wholePlain(Path file, PerformanceStatistics statistics)
      throws IOException {
    FilePerformanceStatisticsReader reader = new FilePerformanceStatisticsReader(statistics);
    try {
      field("knownStrs").set(reader, new SharedStrings(file));
      reader.read(List.of(file.toFile()));
      // The reader ignores a last record that is cut off, and leaves its bytes in the buffer.
      return ((ByteBuffer) field("buf").get(reader)).position() == 0;
    } catch (ReflectiveOperationException otherVersion) {
      throw new IllegalStateException(otherVersion);
    }
  }

  private static Field field(String name) throws ReflectiveOperationException {
    Field field = FilePerformanceStatisticsReader.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
