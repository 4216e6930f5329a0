package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;

/**
 * A heat map of latency over time above a band of marks. Both have the same time axis, so that
 * their left edges must agree: the labels have a fixed width.
 *
 * <p>The colour is the share of the calls of an interval, in decades, so that few slow calls show
 * beside many fast ones; one hue from pale to dark, which colour-blind readers can tell apart.
 */
public final class HeatMapChart {
  private static final int TOP = 44;
  private static final int MAP_HEIGHT = 260;
  private static final int LANE_HEIGHT = 22;
  private static final int GAP = 12;
  private static final int AXIS_HEIGHT = 46;

  private static final String FRAME =
      """
      {"fixed": true,
       "tooltip": {"trigger": "item", "confine": true},
       "visualMap": {"type": "piecewise", "dimension": 4, "seriesIndex": 0, "orient": "horizontal",
                     "left": 0, "top": 0, "itemWidth": 14, "itemGap": 7,
                     "textStyle": {"color": "var(--ink)"},
                     "pieces": [
                       {"lt": 0.1, "label": "<0.1 %", "color": "var(--h1)"},
                       {"gte": 0.1, "lt": 1, "label": "0.1–1 %", "color": "var(--h2)"},
                       {"gte": 1, "lt": 10, "label": "1–10 %", "color": "var(--h3)"},
                       {"gte": 10, "label": "≥10 %", "color": "var(--h4)"}]},
       "grid": [{"left": 112, "right": 12}],
       "xAxis": [{"type": "value", "axisLabel": {"formatter": "{value} s", "hideOverlap": true,
                                                 "showMaxLabel": false}}],
       "yAxis": [{"type": "log", "axisLabel": {"formatter": "fn:time", "showMinLabel": false,
                                              "showMaxLabel": false}}],
       "series": [{"type": "custom", "renderItem": "fn:cell", "name": "calls", "clip": true,
                   "encode": {"x": [0, 1], "y": [2, 3]},
                   "tooltip": {"formatter": "fn:cellTip"}}]}
      """;
  private static final String LANE_GRID =
      """
      {"left": 112, "right": 12}
      """;
  private static final String LANE_X =
      """
      {"type": "value", "gridIndex": 1, "splitLine": {"show": false},
       "axisLabel": {"formatter": "{value} s", "hideOverlap": true, "showMaxLabel": false},
       "name": "seconds of the measured part", "nameLocation": "middle", "nameGap": 26}
      """;
  private static final String LANE_Y =
      """
      {"type": "category", "gridIndex": 1, "inverse": true, "axisTick": {"show": false},
       "splitLine": {"show": true},
       "axisLabel": {"color": "var(--ink)", "fontSize": 11, "width": 106, "overflow": "truncate",
                     "interval": 0}}
      """;
  private static final String LANE_MARKS =
      """
      {"type": "custom", "renderItem": "fn:span", "xAxisIndex": 1, "yAxisIndex": 1,
       "name": "meanwhile", "encode": {"x": [0, 1], "y": 2}, "clip": true,
       "itemStyle": {"color": "var(--s2)"}, "tooltip": {"formatter": "fn:tip"}}
      """;

  private HeatMapChart() {}

  /** A band for each lane with its marks lies below the map. */
  public static Figure of(String caption, HeatMap map) {
    ObjectNode option = Options.of(FRAME);
    ((ObjectNode) option.withArray("/grid").get(0)).put("top", TOP).put("height", MAP_HEIGHT);
    double end = map.cells().stream().mapToDouble(HeatMap.Cell::toSeconds).max().orElse(0);
    ObjectNode time = (ObjectNode) option.withArray("/xAxis").get(0);
    time.put("min", 0).put("max", Options.number(end));
    ObjectNode latency = (ObjectNode) option.withArray("/yAxis").get(0);
    latency.put("min", Options.number(least(map))).put("max", Options.number(most(map)));
    ArrayNode data = Options.data(Options.series(option, 0));
    for (HeatMap.Cell cell : map.cells()) {
      data.add(
          Options.tuple(
              cell.fromSeconds(),
              cell.toSeconds(),
              cell.fromMicros(),
              cell.toMicros(),
              100 * cell.share(),
              (double) cell.calls()));
    }
    if (map.lanes().isEmpty()) {
      time.put("name", "seconds of the measured part").put("nameLocation", "middle");
      time.put("nameGap", 26);
    } else {
      time.withObject("/axisLabel").put("show", false);
      lanes(option, map, end);
    }
    int lanes = map.lanes().isEmpty() ? 0 : GAP + LANE_HEIGHT * map.lanes().size();
    return Figure.of(
        caption, new Chart(option, TOP + MAP_HEIGHT + lanes + AXIS_HEIGHT), table(map));
  }

  private static double least(HeatMap map) {
    return map.cells().stream().mapToDouble(HeatMap.Cell::fromMicros).min().orElse(1);
  }

  private static double most(HeatMap map) {
    return map.cells().stream().mapToDouble(HeatMap.Cell::toMicros).max().orElse(10);
  }

  private static void lanes(ObjectNode option, HeatMap map, double end) {
    option
        .withArray("/grid")
        .add(
            Options.of(LANE_GRID)
                .put("top", TOP + MAP_HEIGHT + GAP)
                .put("height", LANE_HEIGHT * map.lanes().size()));
    option
        .withArray("/xAxis")
        .add(Options.of(LANE_X).put("min", 0).put("max", Options.number(end)));
    ObjectNode names = Options.of(LANE_Y);
    ArrayNode categories = Options.data(names);
    map.lanes().forEach(categories::add);
    option.withArray("/yAxis").add(names);
    ObjectNode series = Options.of(LANE_MARKS);
    ArrayNode data = Options.data(series);
    for (HeatMap.Mark mark : map.marks()) {
      data.addObject()
          .put("tip", "%s\n%s s: %s".formatted(mark.lane(), seconds(mark), mark.what()))
          .set(
              "value",
              Options.tuple(
                  mark.fromSeconds(), mark.toSeconds(), map.lanes().indexOf(mark.lane())));
    }
    option.withArray("/series").add(series);
  }

  private static String seconds(HeatMap.Mark mark) {
    return Numbers.fixed(mark.fromSeconds(), 3);
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
    return Options.number(figure).toPlainString();
  }

  /** What is marked under a heat map; a table alone. */
  public static Figure marks(String caption, HeatMap map) {
    return new MetricTable<HeatMap.Mark>()
        .text("of", HeatMap.Mark::lane)
        .text("what", HeatMap.Mark::what)
        .formatted("from s", HeatMapChart::seconds)
        .formatted("ms", mark -> Numbers.fixed(1e3 * (mark.toSeconds() - mark.fromSeconds()), 1))
        .figure(caption, map.marks());
  }

  /**
   * The latencies of one operation in one trial over time, and what happened meanwhile.
   *
   * @param cells those that hold a call, in the order of time, then of latency
   * @param lanes what was recorded with times, whether it happened or not, from the top
   * @param marks when something of a lane happened
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
     * Something that lasted for a while, perhaps a very short one.
     *
     * @param lane one of the lanes
     * @param fromSeconds since the begin of the measured part
     * @param toSeconds not before it began
     * @param what it was, in a few words
     */
    public record Mark(String lane, double fromSeconds, double toSeconds, String what) {}
  }
}
