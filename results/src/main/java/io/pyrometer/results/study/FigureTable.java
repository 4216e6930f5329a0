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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
  private final List<Row> rows;

  private FigureTable(String name, List<String> header, List<Row> rows) {
    this.name = name;
    this.header = header;
    this.rows = rows;
  }

  /** The cells of one line of the file. */
  record Row(long line, List<String> cells) {}

  /** Reads the file; throws {@link BadDataException} if it is no table with a header and rows. */
  static FigureTable read(Path file) {
    String name = String.valueOf(file.getFileName());
    List<Row> lines = new ArrayList<>();
    try (Reader in = Files.newBufferedReader(file);
        CSVParser parser = CSVParser.parse(in, FORMAT)) {
      for (CSVRecord cells : parser) {
        lines.add(new Row(parser.getCurrentLineNumber(), cells.toList()));
      }
    } catch (NoSuchFileException e) {
      throw BadDataException.of("There is no file %s; check the path.", file);
    } catch (CharacterCodingException e) {
      throw BadDataException.of("%s is not UTF-8 text; save it as CSV in UTF-8.", name);
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      throw BadDataException.of(
          "%s cannot be read as comma-separated values; save it again as CSV.", name);
    }
    return checked(name, lines);
  }

  private static FigureTable checked(String name, List<Row> lines) {
    if (lines.size() < 2) {
      throw BadDataException.of("%s needs a line of column names and rows below it.", name);
    }
    List<String> header = lines.get(0).cells().stream().map(FigureTable::withoutMark).toList();
    if (new HashSet<>(header).size() < header.size()) {
      throw BadDataException.of("%s:1: two columns have the same name; rename one.", name);
    }
    for (Row row : lines) {
      if (row.cells().size() != header.size()) {
        throw BadDataException.of(
            "%s:%d: there are %d cells under %d columns; correct that line.",
            name, row.line(), row.cells().size(), header.size());
      }
    }
    return new FigureTable(name, header, lines.subList(1, lines.size()));
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
    return new FigureTable(name, header, rows.stream().sorted(order).toList());
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
    String cell = row.cells().get(header.indexOf(column));
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
      if (Double.isFinite(number) && !cell.matches(".*[dDfF]")) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the numbers that are none.
    }
    throw BadDataException.of(
        "%s:%d: %s is '%s', which is no number; correct the cell or remove the row.",
        name, row.line(), column, cell);
  }
}
