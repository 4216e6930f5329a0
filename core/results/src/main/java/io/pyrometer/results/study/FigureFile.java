package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A file of comma-separated values, read once from top to bottom without keeping its rows. Lines
 * that begin with # are comments; the last one before the table may name its columns, as in files
 * of NoSQLBench.
 */
final class FigureFile implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setCommentMarker('#')
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .setTrim(true)
          .get();

  private static final Pattern WIDE_SPACES = Pattern.compile("[\\u00A0\\u2007\\u202F]");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private final String name;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<String> header;

  private FigureFile(String name, BufferedReader reader) throws IOException {
    this.name = name;
    this.parser = CSVParser.parse(reader, FORMAT);
    Iterator<CSVRecord> lines = parser.iterator();
    CSVRecord first = lines.hasNext() ? lines.next() : null;
    List<String> commented = first == null ? List.of() : commented(first);
    boolean inComment = commented.size() > 1;
    this.records =
        inComment && first != null
            ? Stream.concat(Stream.of(first), parser.stream()).iterator()
            : lines;
    this.header =
        (inComment || first == null ? commented : first.toList())
            .stream().map(FigureFile::normalised).toList();
    refuseOutputOfTools();
    if (header.stream().allMatch(String::isBlank)) {
      throw empty();
    }
    Set<String> names = new HashSet<>();
    for (String column : header) {
      if (!column.isEmpty() && !names.add(column)) {
        throw BadDataException.of("%s:1: two columns are named %s; rename one.", name, column);
      }
    }
  }

  /**
   * Opens the file and reads its header.
   *
   * @throws BadDataException if there is no such file, or it does not start with column names
   */
  static FigureFile open(Path path) {
    String name = String.valueOf(path.getFileName());
    try {
      return new FigureFile(name, withoutByteOrderMark(path));
    } catch (NoSuchFileException e) {
      throw BadDataException.of("There is no file %s; check the path.", path);
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw unreadable(name, e);
    }
  }

  /** The cells of the last comment before a line; those of HdrHistogram begin with a bracket. */
  private static List<String> commented(CSVRecord line) {
    String comment = line.getComment() == null ? "" : line.getComment();
    String last = comment.substring(comment.lastIndexOf('\n') + 1);
    return last.startsWith("[") ? List.of() : List.of(last.split(",", -1));
  }

  /** A name with plain spaces and composed accents, however it was typed. */
  private static String normalised(String column) {
    return WIDE_SPACES
        .matcher(Normalizer.normalize(column, Normalizer.Form.NFC))
        .replaceAll(" ")
        .strip();
  }

  /** Tables of other tools in which a row is no measurement of a run. */
  private void refuseOutputOfTools() {
    if (header.contains("Interval_Compressed_Histogram")) {
      throw BadDataException.of(
          "%s is an HdrHistogram log, which holds compressed histograms; make a table of it with"
              + " HistogramLogProcessor -csv.",
          name);
    }
    String column =
        header.containsAll(List.of("metric_name", "metric_value"))
            ? "metric_name"
            : header.equals(List.of("Metric", "Task", "Value", "Unit")) ? "Metric" : "";
    if (!column.isEmpty()) {
      throw BadDataException.of(
          "%s is the raw output of %s, with rows of many metrics; keep the rows of one, and leave"
              + " the column %s out.",
          name, column.equals("Metric") ? "Rally" : "k6", column);
    }
  }

  /** Spreadsheets start UTF-8 with such a mark. */
  private static BufferedReader withoutByteOrderMark(Path path) throws IOException {
    BufferedReader reader = Files.newBufferedReader(path);
    reader.mark(1);
    if (reader.read() != '\uFEFF') {
      reader.reset();
    }
    return reader;
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static BadDataException unreadable(String name, Exception why) {
    return why instanceof CharacterCodingException
            || why.getCause() instanceof CharacterCodingException
        ? BadDataException.of("%s is not UTF-8 text; save it as CSV in UTF-8.", name)
        : BadDataException.of(
            "%s cannot be read as comma-separated values; save it again as CSV.", name);
  }

  private BadDataException empty() {
    return BadDataException.of("%s needs a line of column names and rows below it.", name);
  }

  String name() {
    return name;
  }

  /** The name of a column as the file writes it, by its name in any case. */
  Optional<String> columnNamed(String column) {
    return header.stream()
        .filter(name -> !name.isEmpty() && name.equalsIgnoreCase(normalised(column)))
        .findFirst();
  }

  /** Throws {@link BadDataException} if there is no such column. */
  void require(String column) {
    if (column.isEmpty() || !header.contains(column)) {
      throw BadDataException.of(
          "%s has no column %s; %s.",
          name,
          column,
          columnNamed(column)
              .map(near -> "did you mean " + near)
              .orElse(
                  header.size() == 1 && header.get(0).matches(".*[;\t|].*")
                      ? "separate its columns by commas"
                      : "its columns are " + String.join(", ", header)));
    }
  }

  /**
   * Reads the rows.
   *
   * @throws BadDataException if there are none, or a row has not a cell for each column
   */
  void forEach(Consumer<Row> consumer) {
    try {
      if (!records.hasNext()) {
        throw empty();
      }
      while (records.hasNext()) {
        CSVRecord cells = records.next();
        Row row = new Row(parser.getCurrentLineNumber(), cells);
        if (cells.size() != header.size()) {
          throw BadDataException.of(
              "%s:%d: cells: %d, columns: %d; correct that line, and write decimals"
                  + " with a point.",
              name, row.line, cells.size(), header.size());
        }
        consumer.accept(row);
      }
    } catch (UncheckedIOException | IllegalStateException e) {
      throw unreadable(name, e);
    }
  }

  /** One line of the file; valid until the next one is read. */
  final class Row {
    private final long line;
    private final CSVRecord cells;

    private Row(long line, CSVRecord cells) {
      this.line = line;
      this.cells = cells;
    }

    boolean empty(String column) {
      return cells.get(header.indexOf(column)).isEmpty();
    }

    String text(String column) {
      if (empty(column)) {
        throw BadDataException.of(
            "%s:%d: the cell of %s is empty; fill it in or remove the row.", name, line, column);
      }
      return cells.get(header.indexOf(column));
    }

    /**
     * A number whose logarithm may be needed.
     *
     * @param positive whether it must be above 0
     */
    double number(String column, boolean positive) {
      double number = number(column);
      if (positive && number <= 0) {
        throw BadDataException.of(
            "%s:%d: %s is %s, which has no logarithm; correct it, remove the row, or analyse with"
                + " --scale plain.",
            name, line, column, text(column));
      }
      return number;
    }

    double number(String column) {
      String cell = text(column);
      double number = DECIMAL.matcher(cell).matches() ? Double.parseDouble(cell) : Double.NaN;
      if (!Samples.usable(number)) {
        throw BadDataException.of(
            "%s:%d: %s is '%s', which is no number or too large or small for a measurement; write"
                + " plain digits with a decimal point, or remove the row.",
            name, line, column, cell);
      }
      return number;
    }
  }
}
