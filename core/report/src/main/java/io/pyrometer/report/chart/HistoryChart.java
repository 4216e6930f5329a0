package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;

/** One metric over the runs of an experiment. */
public final class HistoryChart {
  private static final String FRAME =
      """
      {"grid": {"left": 8, "right": 24, "top": 28, "bottom": 10, "containLabel": true},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "category", "axisLabel": {"hideOverlap": true}},
       "yAxis": {"type": "value", "scale": true, "axisLabel": {"formatter": "fn:short"}},
       "series": [
         {"type": "line", "symbol": "circle", "symbolSize": 7, "z": 3,
          "lineStyle": {"width": 1.5, "color": "var(--s1)"}, "itemStyle": {"color": "var(--s1)"}},
         {"type": "custom", "renderItem": "fn:verticalInterval", "silent": true, "z": 2,
          "encode": {"x": 0, "y": [1, 2]}, "itemStyle": {"color": "var(--s1)"}}]}
      """;

  private HistoryChart() {}

  /** Oldest run first. */
  public static Figure of(String caption, String unit, List<HistoryPoint> points) {
    ObjectNode option = Options.of(FRAME);
    ArrayNode labels = Options.data((ObjectNode) option.get("xAxis"));
    ObjectNode line = Options.series(option, 0);
    ArrayNode values = Options.data(line);
    ArrayNode intervals = Options.data(Options.series(option, 1));
    for (int i = 0; i < points.size(); i++) {
      HistoryPoint point = points.get(i);
      labels.add(point.run());
      ObjectNode mark = values.addObject();
      mark.set("value", Options.tuple(i, point.estimate().value()));
      mark.put("tip", point.run() + "\n" + Numbers.estimate(point.estimate()) + " " + unit);
      if (point.estimate().hasInterval()) {
        intervals.add(Options.tuple(i, point.estimate().low(), point.estimate().high()));
      }
    }
    Table table =
        new MetricTable<HistoryPoint>("no interval: a run needs two blocks for it")
            .text("Run", HistoryPoint::run)
            .formatted(unit, point -> Numbers.shorten(point.estimate().value()))
            .formatted("Interval", point -> Numbers.interval(point.estimate()))
            .of(points);
    return Figure.of(caption, new Chart(option, 340), table);
  }

  /**
   * One run in a history.
   *
   * @param run as the axis names it, for example its date or commit
   */
  public record HistoryPoint(String run, Estimate estimate) {}
}
