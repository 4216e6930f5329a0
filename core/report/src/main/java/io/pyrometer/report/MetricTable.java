package io.pyrometer.report;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Table.Align;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Declares the columns of a table, one row for each treatment or other subject.
 *
 * <pre>{@code
 * new MetricTable<TreatmentRow>("too few calls for a p99")
 *     .text("treatment", TreatmentRow::label)
 *     .estimate("records/s", TreatmentRow::throughput)
 *     .number("lost", row -> row.max("events.lost"))
 *     .figure("One row per treatment", rows);
 * }</pre>
 *
 * @param <R> the subject of a row
 */
public final class MetricTable<R> {
  private final String absent;
  private final List<String> header = new ArrayList<>();
  private final List<Align> alignment = new ArrayList<>();
  private final List<Function<R, String>> cells = new ArrayList<>();

  /**
   * Starts a table without columns.
   *
   * @param absent the reason for cells without a figure; empty where there are none
   */
  public MetricTable(String absent) {
    this.absent = absent;
  }

  /** Starts a table with a figure in each of its cells. */
  public MetricTable() {
    this("");
  }

  /** Adds a column of words. */
  public MetricTable<R> text(String title, Function<R, String> cell) {
    return column(title, Align.LEFT, cell);
  }

  /** Adds a column of figures that are formatted by the caller. */
  public MetricTable<R> formatted(String title, Function<R, String> cell) {
    return column(title, Align.RIGHT, cell);
  }

  /** Adds a column of estimates with their intervals. */
  public MetricTable<R> estimate(String title, Function<R, Optional<Estimate>> cell) {
    return formatted(title, row -> cell.apply(row).map(Numbers::estimate).orElse(Table.ABSENT));
  }

  /** Adds a column of values that have no interval, such as a maximum. */
  public MetricTable<R> number(String title, Function<R, Optional<Double>> cell) {
    return formatted(title, row -> cell.apply(row).map(Numbers::shorten).orElse(Table.ABSENT));
  }

  /** Adds a column of counts. */
  public MetricTable<R> count(String title, ToLongFunction<R> cell) {
    return formatted(title, row -> String.valueOf(cell.applyAsLong(row)));
  }

  private MetricTable<R> column(String title, Align align, Function<R, String> cell) {
    header.add(title);
    alignment.add(align);
    cells.add(cell);
    return this;
  }

  /** The table of these rows. */
  public Table of(List<R> rows) {
    List<List<String>> all =
        rows.stream().map(row -> cells.stream().map(cell -> cell.apply(row)).toList()).toList();
    return new Table(header, all, alignment).withAbsent(absent);
  }

  /** The table of these rows under a caption. */
  public Figure figure(String caption, List<R> rows) {
    return Figure.of(caption, of(rows));
  }
}
