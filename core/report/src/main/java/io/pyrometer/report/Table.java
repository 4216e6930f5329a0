package io.pyrometer.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Cells as they are shown. Every row has as many cells as the header.
 *
 * @param alignment of each column
 * @param absent why a cell may hold {@link #ABSENT} instead of a figure; empty where none can
 */
public record Table(
    List<String> header, List<List<String>> rows, List<Align> alignment, String absent) {

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
    int columns = header.size();
    if (alignment.size() != columns || rows.stream().anyMatch(row -> row.size() != columns)) {
      throw new IllegalArgumentException(
          "Not every row has the " + columns + " cells of " + header);
    }
  }

  /** A table with a figure in each of its cells. */
  public Table(List<String> header, List<List<String>> rows, List<Align> alignment) {
    this(header, rows, alignment, "");
  }

  /** The same table, with the reason for figures that are absent. */
  public Table withAbsent(String why) {
    return new Table(header, rows, alignment, why);
  }

  /** Of this table some rows. */
  Table head(int count) {
    return new Table(header, rows.subList(0, count), alignment, absent);
  }

  /** What is to be read below the table: why figures are absent, where some are. */
  public Optional<String> note() {
    boolean some = rows.stream().anyMatch(row -> row.stream().anyMatch(Table::isAbsent));
    return some && !absent.isEmpty() ? Optional.of(ABSENT + " " + absent) : Optional.empty();
  }

  private static boolean isAbsent(String cell) {
    return cell.equals(ABSENT) || cell.startsWith(ABSENT + " ");
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
