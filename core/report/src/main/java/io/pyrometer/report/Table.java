package io.pyrometer.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Cells as they are shown. Every row has as many cells as the header.
 *
 * @param alignment one for each column
 * @param notes remarks on the table, such as the meaning of marks; a page shows each of its notes
 *     once
 */
public record Table(
    List<String> header, List<List<String>> rows, List<Align> alignment, List<String> notes) {

  /** Stands where there is no figure. */
  public static final String ABSENT = "–";

  /** Where cells stand in their column. */
  public enum Align {
    LEFT,
    RIGHT
  }

  /** Copies the lists; throws {@link IllegalArgumentException} if a row is too long or short. */
  public Table {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
    alignment = List.copyOf(alignment);
    notes = List.copyOf(notes);
    int columns = header.size();
    if (alignment.size() != columns || rows.stream().anyMatch(row -> row.size() != columns)) {
      throw new IllegalArgumentException(
          "Not every row has the " + columns + " cells of " + header);
    }
  }

  /** A table with a figure in each of its cells. */
  public Table(List<String> header, List<List<String>> rows, List<Align> alignment) {
    this(header, rows, alignment, List.of());
  }

  /** A copy with the reason for absent figures, if some are absent. */
  public Table withAbsent(String why) {
    boolean some = rows.stream().anyMatch(row -> row.stream().anyMatch(Table::isAbsent));
    return some && !why.isEmpty() ? withNote(ABSENT + " " + why) : this;
  }

  private static boolean isAbsent(String cell) {
    return cell.equals(ABSENT) || cell.startsWith(ABSENT + " ");
  }

  /** A copy with a further note. */
  public Table withNote(String note) {
    List<String> all = new ArrayList<>(notes);
    all.add(note);
    return new Table(header, rows, alignment, all);
  }

  /** A copy without the columns that are empty throughout. */
  public Table withoutEmptyColumns() {
    return with(c -> rows.stream().anyMatch(row -> !row.get(c).isEmpty()));
  }

  /** A copy without one column. */
  Table without(int column) {
    return with(c -> c != column);
  }

  private Table with(IntPredicate column) {
    int[] kept = IntStream.range(0, header.size()).filter(column).toArray();
    return new Table(
        only(kept, header),
        rows.stream().map(row -> only(kept, row)).toList(),
        only(kept, alignment),
        notes);
  }

  private static <T> List<T> only(int[] columns, List<T> cells) {
    return IntStream.of(columns).mapToObj(cells::get).toList();
  }

  /** The table's first rows. */
  Table head(int count) {
    return new Table(header, rows.subList(0, count), alignment, notes);
  }

  /** A table whose first {@code words} columns stand left, the others, of figures, right. */
  public static Table of(List<String> header, int words, List<List<String>> rows) {
    List<Align> alignment = new ArrayList<>(Collections.nCopies(header.size(), Align.RIGHT));
    Collections.fill(alignment.subList(0, words), Align.LEFT);
    return new Table(header, rows, alignment);
  }

  /** A table of words alone. */
  public static Table ofWords(List<String> header, List<List<String>> rows) {
    return of(header, header.size(), rows);
  }
}
