package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
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
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A file of comma-separated values, read once from top to bottom without keeping its rows. */
final class FigureFile implements AutoCloseable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .setTrim(true)
          .get();

  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern SEPARATED_THOUSANDS =
      Pattern.compile("[-+]?\\d{1,3}([,'’ \\u00A0\\u202F_]\\d{3})+(\\.\\d+)?");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?[\\d.]*,\\d+");

  private static final Pattern WIDE_SPACES = Pattern.compile("[\\u00A0\\u2007\\u202F]");

  private final String name;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final List<String> header;

  private final int comments;

  private FigureFile(String name, Preamble preamble) throws IOException {
    this.name = name;
    this.comments = preamble.lines();
    this.parser = CSVParser.parse(preamble.rest(), FORMAT);
    this.records = parser.iterator();
    List<String> first =
        reading(
            () ->
                !preamble.header().isEmpty()
                    ? List.of(preamble.header().split(","))
                    : records.hasNext() ? records.next().toList() : List.of());
    this.header =
        first.isEmpty() ? first : header(name, first.stream().map(FigureFile::normalised).toList());
    if (header.isEmpty()) {
      throw empty(name);
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
      return new FigureFile(name, preamble(path));
    } catch (NoSuchFileException e) {
      throw BadDataException.of("There is no file %s; check the path.", path);
    } catch (IOException e) {
      throw unreadable(name);
    }
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw unreadable(name);
    }
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private <T> T reading(Reading<T> what) {
    try {
      return what.read();
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw e instanceof CharacterCodingException
              || e.getCause() instanceof CharacterCodingException
          ? BadDataException.of("%s is not UTF-8 text; save it as CSV in UTF-8.", name)
          : unreadable(name);
    }
  }

  private static BadDataException unreadable(String name) {
    return BadDataException.of(
        "%s cannot be read as comma-separated values; save it again as CSV.", name);
  }

  private static BadDataException empty(String name) {
    return BadDataException.of("%s needs a line of column names and rows below it.", name);
  }

  private static List<String> header(String name, List<String> header) {
    if (header.stream().allMatch(column -> column.matches("[\\s\\x00]*"))) {
      throw empty(name);
    }
    if (header.size() == 1 && header.get(0).matches(".*[;\\t].*")) {
      throw BadDataException.of(
          "%s:1: the columns are separated by %s; save the file with commas between columns and"
              + " points in decimals.",
          name, header.get(0).contains(";") ? "semicolons" : "tabs");
    }
    refuseOutputOfTools(name, header);
    HashSet<String> names = new HashSet<>();
    for (String column : header) {
      if (!column.isEmpty() && !names.add(column)) {
        throw BadDataException.of("%s:1: two columns are named %s; rename one.", name, column);
      }
    }
    return header;
  }

  /** Tables of other tools in which a row is no measurement of a run. */
  private static void refuseOutputOfTools(String name, List<String> header) {
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

  /** A name with plain spaces and composed accents, however it was typed. */
  private static String normalised(String column) {
    return WIDE_SPACES
        .matcher(Normalizer.normalize(column, Normalizer.Form.NFC))
        .replaceAll(" ")
        .strip();
  }

  /**
   * The lines before the table.
   *
   * @param lines how many
   * @param header the last comment, as NoSQLBench writes its column names; empty if it is none
   * @param rest the table
   */
  private record Preamble(int lines, String header, Reader rest) {}

  /**
   * Skips the byte order mark with which spreadsheets start UTF-8, and comments before the table.
   */
  private static Preamble preamble(Path path) throws IOException {
    BufferedReader reader = Files.newBufferedReader(path);
    int lines = 0;
    String last = "";
    try {
      reader.mark(1);
      int next = reader.read();
      if (next == '\uFEFF') {
        reader.mark(1);
        next = reader.read();
      }
      while (next == '#') {
        last = String.valueOf(reader.readLine());
        lines++;
        reader.mark(1);
        next = reader.read();
      }
      reader.reset();
    } catch (CharacterCodingException e) {
      reader.reset(); // told where the header is read
    }
    boolean names = last.contains(",") && !last.startsWith("[");
    return new Preamble(lines, names ? last : "", reader);
  }

  String name() {
    return name;
  }

  /** The name of a column as the file writes it, by its name in any case. */
  Optional<String> columnNamed(String column) {
    return header.stream()
        .filter(name -> !name.isEmpty() && name.equalsIgnoreCase(column))
        .findFirst();
  }

  /** The index of a column; throws {@link BadDataException} if there is none. */
  int column(String column) {
    int index = column.isEmpty() ? -1 : header.indexOf(normalised(column));
    if (index < 0) {
      throw BadDataException.of(
          "%s has no column %s; %s.",
          name,
          column,
          columnNamed(column)
              .map(near -> "did you mean " + near)
              .orElse("its columns are " + String.join(", ", header)));
    }
    return index;
  }

  /**
   * Reads the rows.
   *
   * @throws BadDataException if there are none, or a row has not a cell for each column
   */
  void forEach(Consumer<Row> consumer) {
    if (!reading(records::hasNext)) {
      throw empty(name);
    }
    while (reading(records::hasNext)) {
      CSVRecord cells = reading(records::next);
      Row row = new Row(comments + parser.getCurrentLineNumber(), cells);
      if (cells.size() != header.size()) {
        throw BadDataException.of(
            "%s:%d: there are %d cells under %d columns; %s.",
            name,
            row.line,
            cells.size(),
            header.size(),
            cells.size() > header.size()
                ? "correct that line, and write decimals with a point if they have commas"
                : "correct that line");
      }
      consumer.accept(row);
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

    boolean empty(int column) {
      return cells.get(column).isEmpty();
    }

    String text(int column) {
      if (empty(column)) {
        throw BadDataException.of(
            "%s:%d: the cell of %s is empty; fill it in or remove the row.",
            name, line, header.get(column));
      }
      return cells.get(column);
    }

    /**
     * A number whose logarithm may be needed.
     *
     * @param positive whether it must be above 0
     */
    double number(int column, boolean positive) {
      double number = number(column);
      if (positive && number <= 0) {
        throw BadDataException.of(
            "%s:%d: %s is %s, which has no logarithm; correct it, remove the row, or analyse with"
                + " --scale plain.",
            name, line, header.get(column), cells.get(column));
      }
      return number;
    }

    double number(int column) {
      String cell = text(column);
      double number = DECIMAL.matcher(cell).matches() ? Double.parseDouble(cell) : Double.NaN;
      if (Samples.usable(number)) {
        return number;
      }
      if (DECIMAL.matcher(cell).matches()) {
        throw BadDataException.of(
            "%s:%d: %s is %s, which is too %s to be a measurement; correct it or use another unit.",
            name, line, header.get(column), cell, Math.abs(number) > 1 ? "large" : "small");
      }
      throw BadDataException.of(
          "%s:%d: %s is '%s', which is no number; %s.",
          name, line, header.get(column), cell, remedy(cell));
    }
  }

  private static String remedy(String cell) {
    if (cell.startsWith("−") || cell.startsWith("–")) {
      return "write the minus as a hyphen, as -" + cell.substring(1);
    }
    String digits = cell.replaceAll("[,'’ \u00A0\u202F_]", "");
    if (SEPARATED_THOUSANDS.matcher(cell).matches()) {
      return cell.matches("[-+]?\\d{1,3},\\d{3}")
          ? "write it without a separator of thousands, as %s, or, if the comma is a decimal one, as %s"
              .formatted(digits, cell.replace(',', '.'))
          : "write it without separators of thousands, as " + digits;
    }
    if (DECIMAL_COMMA.matcher(cell).matches()) {
      return "write it with a decimal point, as " + cell.replace(".", "").replace(',', '.');
    }
    if (cell.endsWith("%")) {
      return "leave the percent sign out";
    }
    return "correct the cell or remove the row";
  }
}
