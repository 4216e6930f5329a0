package io.pyrometer.results.study;

import io.pyrometer.analysis.BadDataException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A file of comma-separated values, every cell with the line it came from. */
final class FigureTable {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setIgnoreEmptyLines(true)
          .setIgnoreSurroundingSpaces(true)
          .setTrim(true)
          .get();

  private final String name;
  private final List<String> header;

  /** The columns whose cells were kept, in the order of a row's cells. */
  private final List<String> kept;

  private final List<Row> rows;

  private FigureTable(String name, List<String> header, List<String> kept, List<Row> rows) {
    this.name = name;
    this.header = header;
    this.kept = kept;
    this.rows = rows;
  }

  /** So many different cells are kept once, however often they occur. */
  private static final int MOST_SHARED = 10_000;

  /** The kept cells of one line of the file. */
  record Row(long line, List<String> cells) {}

  /**
   * Reads the file, of its columns only those that are asked for, so that a long file fits.
   *
   * @param columns the names of those to keep; one that the file lacks is told by {@link #need}
   * @throws BadDataException if it is no table with a header and rows
   */
  static FigureTable read(Path file, Set<String> columns) {
    String name = String.valueOf(file.getFileName());
    try (Reader in = Files.newBufferedReader(file);
        CSVParser parser = CSVParser.parse(in, FORMAT)) {
      return read(name, parser, columns);
    } catch (NoSuchFileException e) {
      throw BadDataException.of("There is no file %s; check the path.", file);
    } catch (CharacterCodingException e) {
      throw BadDataException.of("%s is not UTF-8 text; save it as CSV in UTF-8.", name);
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw BadDataException.of(
          "%s cannot be read as comma-separated values; save it again as CSV.", name);
    }
  }

  private static FigureTable read(String name, CSVParser parser, Set<String> columns) {
    List<String> header = List.of();
    int[] kept = new int[0];
    List<Row> rows = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    for (CSVRecord cells : parser) {
      long line = parser.getCurrentLineNumber();
      if (header.isEmpty()) {
        header = header(name, cells.toList());
        List<String> names = header;
        kept =
            IntStream.range(0, names.size()).filter(c -> columns.contains(names.get(c))).toArray();
        continue;
      }
      if (cells.size() != header.size()) {
        throw BadDataException.of(
            "%s:%d: there are %d cells under %d columns; %s.",
            name,
            line,
            cells.size(),
            header.size(),
            cells.size() > header.size()
                ? "correct that line, and write decimals with a point if they have commas"
                : "correct that line");
      }
      String[] row = new String[kept.length];
      for (int c = 0; c < kept.length; c++) {
        String cell = cells.get(kept[c]);
        // Levels and blocks repeat; most measured values do not.
        String known = seen.size() < MOST_SHARED ? seen.putIfAbsent(cell, cell) : seen.get(cell);
        row[c] = known == null ? cell : known;
      }
      rows.add(new Row(line, List.of(row)));
    }
    if (rows.isEmpty()) {
      throw BadDataException.of("%s needs a line of column names and rows below it.", name);
    }
    List<String> names = header;
    return new FigureTable(name, header, IntStream.of(kept).mapToObj(names::get).toList(), rows);
  }

  private static List<String> header(String name, List<String> cells) {
    List<String> header = cells.stream().map(FigureTable::withoutMark).toList();
    if (new HashSet<>(header).size() < header.size()) {
      throw BadDataException.of("%s:1: two columns have the same name; rename one.", name);
    }
    if (header.size() == 1 && header.get(0).matches(".*[;\\t].*")) {
      throw BadDataException.of(
          "%s:1: the columns are separated by %s; save the file with commas between columns and points in decimals.",
          name, header.get(0).contains(";") ? "semicolons" : "tabs");
    }
    return header;
  }

  private static String withoutMark(String name) {
    return name.startsWith("\uFEFF") ? name.substring(1) : name;
  }

  String name() {
    return name;
  }

  List<Row> rows() {
    return rows;
  }

  /** The same rows in ascending order of a column of numbers. */
  FigureTable inOrderOf(String column) {
    need(column);
    Comparator<Row> order = Comparator.comparingDouble(row -> number(row, column));
    return new FigureTable(name, header, kept, rows.stream().sorted(order).toList());
  }

  /** Throws {@link BadDataException} if there is no such column. */
  void need(String column) {
    if (!header.contains(column)) {
      throw BadDataException.of(
          "%s has no column %s; %s.",
          name,
          column,
          nearest(column)
              .map(near -> "did you mean " + near)
              .orElse("its columns are " + String.join(", ", header)));
    }
  }

  private Optional<String> nearest(String column) {
    return header.stream().filter(name -> name.equalsIgnoreCase(column)).findFirst();
  }

  String text(Row row, String column) {
    String cell = row.cells().get(kept.indexOf(column));
    if (cell.isEmpty()) {
      throw BadDataException.of(
          "%s:%d: the cell of %s is empty; fill it in or remove the row.",
          name, row.line(), column);
    }
    return cell;
  }

  double number(Row row, String column) {
    String cell = text(row, column);
    try {
      double number = Double.parseDouble(cell);
      if (Double.isFinite(number) && "dDfF".indexOf(cell.charAt(cell.length() - 1)) < 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the numbers that are none.
    }
    throw BadDataException.of(
        "%s:%d: %s is '%s', which is no number; %s.",
        name,
        row.line(),
        column,
        cell,
        cell.matches("[-+]?[0-9.]*,[0-9]+")
            ? "write it with a decimal point, as " + cell.replace(".", "").replace(',', '.')
            : "correct the cell or remove the row");
  }
}
