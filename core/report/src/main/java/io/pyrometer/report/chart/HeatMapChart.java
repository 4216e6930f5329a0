package io.pyrometer.report.chart;

import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * A heat map of latency over time above a band of marks. Its colour is the share of the calls of an
 * interval, in decades, so that few slow calls show beside many fast ones.
 */
public final class HeatMapChart {
  private HeatMapChart() {}

  /**
   * The calls of one operation in one trial, with a band for each lane and its marks below.
   *
   * @param cells in the order of time, then of latency
   * @param lanes kinds of events that were recorded, whether one occurred or not, from the top
   */
  public static Figure of(
      String caption, List<Cell> cells, List<String> lanes, List<Chart.Mark> marks) {
    List<Chart.Series> series = new ArrayList<>();
    series.add(new Chart.Series("calls", cells.stream().map(HeatMapChart::figures).toList()));
    lanes.forEach(lane -> series.add(new Chart.Series(lane, List.of())));
    return Figure.of(
        caption,
        new Chart(
            Kind.HEAT,
            Axis.linear("seconds of the measured part"),
            new Axis("µs", true),
            series,
            marks),
        table(cells));
  }

  private static List<Object> figures(Cell cell) {
    return Chart.figures(
        cell.fromSeconds(),
        cell.toSeconds(),
        cell.fromMicros(),
        cell.toMicros(),
        100 * cell.share(),
        (double) cell.calls());
  }

  private static Table table(List<Cell> cells) {
    return new MetricTable<Cell>()
        .formatted("from s", cell -> plain(cell.fromSeconds()))
        .formatted("to s", cell -> plain(cell.toSeconds()))
        .formatted("from µs", cell -> plain(cell.fromMicros()))
        .formatted("to µs", cell -> plain(cell.toMicros()))
        .count("calls", Cell::calls)
        .formatted("% of interval", cell -> plain(100 * cell.share()))
        .of(cells);
  }

  /** Digits that programs read: these rows are many and mostly downloaded. */
  private static String plain(double figure) {
    return Chart.round(figure).toPlainString();
  }

  /**
   * The calls that ended in one interval and took about equally long.
   *
   * @param fromSeconds since the begin of the measured part
   * @param calls at least 1
   * @param share of the calls that ended in the same interval, above 0 and at most 1
   */
  public record Cell(
      double fromSeconds,
      double toSeconds,
      double fromMicros,
      double toMicros,
      long calls,
      double share) {}
}
