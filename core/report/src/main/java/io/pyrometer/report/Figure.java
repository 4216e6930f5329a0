package io.pyrometer.report;

import java.util.Optional;

/**
 * Figures to look at: a table, and above it the chart of the same figures where one helps.
 *
 * @param caption subject and unit; a sentence or a few words
 */
public record Figure(String caption, Optional<Chart> chart, Table table) {

  /** A chart and its table. */
  public static Figure of(String caption, Chart chart, Table table) {
    return new Figure(caption, Optional.of(chart), table);
  }

  /** A table alone. */
  public static Figure of(String caption, Table table) {
    return new Figure(caption, Optional.empty(), table);
  }
}
