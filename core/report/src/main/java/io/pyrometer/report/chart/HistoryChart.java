package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import java.util.List;

/** One metric over the runs of an experiment. */
public final class HistoryChart {
  private HistoryChart() {}

  /** A history, oldest run first. */
  public static Figure of(String caption, String unit, List<HistoryPoint> history) {
    List<List<Object>> points =
        history.stream().map(point -> Chart.point(point.run(), point.estimate(), "")).toList();
    return Figure.of(
        caption,
        new Chart(
            Kind.HISTORY,
            Axis.PLAIN,
            Axis.linear(unit),
            List.of(new Chart.Series(caption, points))),
        new MetricTable<HistoryPoint>("no interval: a run needs two blocks for it")
            .text("Run", HistoryPoint::run)
            .formatted(unit, point -> Numbers.shorten(point.estimate().value()))
            .formatted("Interval", point -> Numbers.interval(point.estimate()))
            .of(history));
  }

  /**
   * One run in a history.
   *
   * @param run as the axis names it, for example its date or commit
   */
  public record HistoryPoint(String run, Estimate estimate) {}
}
