package io.pyrometer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Comma-separated values as spreadsheets and statistics tools read them (RFC 4180, LF). */
public final class CsvFile {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  private CsvFile() {}

  /**
   * Writes the header and the rows.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void write(Path file, List<String> header, Iterable<? extends List<?>> rows) {
    try (Writer out = Files.newBufferedWriter(file);
        CSVPrinter printer = new CSVPrinter(out, FORMAT)) {
      printer.printRecord(header);
      for (List<?> row : rows) {
        printer.printRecord(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
