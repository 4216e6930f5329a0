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

  /** The map with a band for each lane and its marks below. */
  public static Figure of(String caption, HeatMap map) {
    List<Chart.Series> series = new ArrayList<>();
    series.add(new Chart.Series("calls", map.cells().stream().map(HeatMapChart::figures).toList()));
    map.lanes().forEach(lane -> series.add(new Chart.Series(lane, List.of())));
    Chart chart =
        new Chart(
            Kind.HEAT,
            Axis.linear("seconds of the measured part"),
            new Axis("µs", true),
            series,
            map.marks().stream()
                .map(m -> new Chart.Mark(m.lane(), m.fromSeconds(), m.toSeconds(), m.what()))
                .toList());
    return Figure.of(caption, chart, table(map));
  }

  private static List<Object> figures(HeatMap.Cell cell) {
    return Chart.figures(
        cell.fromSeconds(),
        cell.toSeconds(),
        cell.fromMicros(),
        cell.toMicros(),
        100 * cell.share(),
        (double) cell.calls());
  }

  private static Table table(HeatMap map) {
    return new MetricTable<HeatMap.Cell>()
        .formatted("from s", cell -> plain(cell.fromSeconds()))
        .formatted("to s", cell -> plain(cell.toSeconds()))
        .formatted("from µs", cell -> plain(cell.fromMicros()))
        .formatted("to µs", cell -> plain(cell.toMicros()))
        .count("calls", HeatMap.Cell::calls)
        .formatted("% of interval", cell -> plain(100 * cell.share()))
        .of(map.cells());
  }

  /** Digits that programs read: these rows are many and mostly downloaded. */
  private static String plain(double figure) {
    return Chart.round(figure).toPlainString();
  }

  /**
   * The latencies of one operation in one trial over time, and other events.
   *
   * @param cells those that hold a call, in the order of time, then of latency
   * @param lanes kinds of events that were recorded, whether one occurred or not, from the top
   * @param marks the events
   */
  public record HeatMap(List<Cell> cells, List<String> lanes, List<Mark> marks) {
    /**
     * The calls that ended in one interval and took about equally long.
     *
     * @param fromSeconds since the begin of the measured part
     * @param toSeconds since the begin of the measured part
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

    /**
     * An event.
     *
     * @param lane one of the lanes
     * @param fromSeconds since the begin of the measured part
     * @param toSeconds not before it began
     * @param what kind of event, in a few words
     */
    public record Mark(String lane, double fromSeconds, double toSeconds, String what) {}
  }
}
