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
import java.util.Map;
import java.util.Optional;

/** Estimates below each other, each with its interval. */
public final class IntervalChart {
  private static final double LARGEST_LINEAR_RATIO = 20;
  private static final int ROW_HEIGHT = 34;
  private static final int AXIS_HEIGHT = 64;

  private static final String FRAME =
      """
      {"grid": {"left": 4, "right": 8, "top": 8, "bottom": 34, "containLabel": true},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "nameLocation": "middle", "nameGap": 30,
                 "axisLabel": {"formatter": "fn:short", "hideOverlap": true,
                               "alignMaxLabel": "right"}},
       "yAxis": [{"type": "category", "inverse": true, "axisTick": {"show": false},
                  "axisLabel": {"color": "var(--ink)", "fontSize": 13, "interval": 0}},
                 {"type": "category", "inverse": true, "position": "right",
                  "axisLine": {"show": false}, "axisTick": {"show": false},
                  "axisLabel": {"color": "var(--ink)", "fontSize": 13, "interval": 0,
                                "width": 60}}],
       "series": [{}, {"type": "custom", "renderItem": "fn:horizontalInterval",
                       "encode": {"x": [1, 2], "y": 0}, "silent": true, "z": 3,
                       "itemStyle": {"color": "var(--s1)"}}]}
      """;
  private static final String POINTS =
      """
      {"type": "scatter", "symbolSize": 8, "z": 4,
       "itemStyle": {"color": "var(--s1)", "borderColor": "var(--s1)", "borderWidth": 2}}
      """;
  private static final String BARS =
      """
      {"type": "bar", "barMaxWidth": 16, "z": 2,
       "itemStyle": {"color": "var(--s1)", "opacity": 0.45, "borderRadius": [0, 3, 3, 0]}}
      """;

  private IntervalChart() {}

  /**
   * Treatments in the order given, best first, as points with their intervals; on a logarithmic
   * axis where the largest is over 20 times the smallest.
   */
  public static Figure points(String caption, String unit, List<Ranked> rows) {
    ObjectNode option = frame(unit, rows, POINTS);
    if (isWide(rows)) {
      ((ObjectNode) option.get("xAxis")).put("type", "log");
    } else {
      ((ObjectNode) option.get("xAxis")).put("min", 0);
    }
    return Figure.of(caption, new Chart(option, height(rows)), table(unit, rows));
  }

  /** The same as bars from 0, for what is spent: CPU time, bytes. Never on a logarithmic axis. */
  public static Figure bars(String caption, String unit, List<Ranked> rows) {
    return Figure.of(caption, new Chart(frame(unit, rows, BARS), height(rows)), table(unit, rows));
  }

  /** Shares of a whole, 0…1, in the order given, as bars in percent. */
  public static Figure shares(String caption, Map<String, Double> shares) {
    List<Ranked> bars =
        shares.entrySet().stream()
            .map(
                share ->
                    new Ranked(
                        share.getKey(),
                        Estimate.unreplicated(100 * share.getValue(), "%"),
                        Optional.empty(),
                        ""))
            .toList();
    return Figure.of(
        caption,
        new Chart(frame("%", bars, BARS), height(bars)),
        new MetricTable<Ranked>()
            .text("Source", Ranked::label)
            .formatted("Share", bar -> Numbers.percent(bar.estimate().value() / 100))
            .of(bars));
  }

  private static int height(List<Ranked> rows) {
    return AXIS_HEIGHT + ROW_HEIGHT * rows.size();
  }

  private static boolean isWide(List<Ranked> rows) {
    double least = rows.stream().mapToDouble(row -> row.estimate().low()).min().orElse(1);
    double most = rows.stream().mapToDouble(row -> row.estimate().high()).max().orElse(1);
    return least > 0 && most / least > LARGEST_LINEAR_RATIO;
  }

  private static ObjectNode frame(String unit, List<Ranked> rows, String kind) {
    ObjectNode option = Options.of(FRAME);
    ((ObjectNode) option.get("xAxis")).put("name", unit);
    ArrayNode names = Options.data((ObjectNode) option.get("yAxis").get(0));
    ArrayNode values = Options.data((ObjectNode) option.get("yAxis").get(1));
    Options.array(option, "series").set(0, Options.of(kind));
    ArrayNode marks = Options.data(Options.series(option, 0));
    ArrayNode intervals = Options.data(Options.series(option, 1));
    for (int i = 0; i < rows.size(); i++) {
      Ranked row = rows.get(i);
      Estimate estimate = row.estimate();
      names.add(row.label());
      values.add(Numbers.shorten(estimate.value()));
      mark(marks.addObject(), row, i, unit);
      if (estimate.hasInterval()) {
        intervals.add(Options.tuple(i, estimate.low(), estimate.high()));
      }
    }
    return option;
  }

  private static void mark(ObjectNode mark, Ranked row, int index, String unit) {
    mark.set("value", Options.tuple(row.estimate().value(), index));
    String note = row.note().isEmpty() ? "" : "\n" + row.note();
    mark.put("tip", row.label() + "\n" + Numbers.estimate(row.estimate()) + " " + unit + note);
    if (!row.note().isEmpty()) {
      mark.putObject("itemStyle").put("color", "var(--card)").put("borderColor", "var(--s1)");
    }
  }

  private static Table table(String unit, List<Ranked> rows) {
    MetricTable<Ranked> table =
        new MetricTable<Ranked>(
                "no interval: it needs two blocks, and is not shown if it is too wide")
            .text("Treatment", Ranked::label)
            .formatted(unit, row -> Numbers.shorten(row.estimate().value()))
            .formatted("Interval", row -> Numbers.interval(row.estimate()));
    if (rows.stream().anyMatch(row -> row.ratio().isPresent())) {
      table.formatted("Ratio", row -> row.ratio().map(Numbers::ratio).orElse("1×"));
    }
    table.count("Replicates", row -> row.estimate().replicates());
    if (rows.stream().anyMatch(row -> !row.note().isEmpty())) {
      table.text("Note", Ranked::note);
    }
    return table.of(rows);
  }
}
