package io.pyrometer.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Cells as they are shown. Every row has as many cells as the header.
 *
 * @param alignment of each column
 */
public record Table(List<String> header, List<List<String>> rows, List<Align> alignment) {

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
