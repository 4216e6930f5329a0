package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Numbers;
import java.util.List;
import java.util.Map;

/** What each of several totals is made of: one bar of 100 % for each. */
public final class StackedBarChart {
  private static final int ROW_HEIGHT = 24;
  private static final int AXIS_HEIGHT = 110;
  private static final int COLOURS = 8;

  private static final String FRAME =
      """
      {"grid": {"left": 4, "right": 16, "top": 62, "bottom": 30, "containLabel": true},
       "legend": {"top": 0, "left": 0, "itemWidth": 14, "itemGap": 12},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "min": 0, "max": 100, "name": "% of CPU time",
                 "nameLocation": "middle", "nameGap": 24},
       "yAxis": {"type": "category", "inverse": true, "axisTick": {"show": false},
                 "axisLabel": {"color": "var(--ink)", "fontSize": 11, "interval": 0}},
       "series": []}
      """;

  private StackedBarChart() {}

  /**
   * One bar.
   *
   * @param parts value by part, in the unit of the total
   * @param total in µs
   */
  public record Bar(String label, Map<String, Double> parts, double total) {}

  /**
   * Bars from the top.
   *
   * @param parts in the order in which they are stacked
   */
  public static Chart of(List<String> parts, List<Bar> bars) {
    ObjectNode option = Options.of(FRAME);
    ArrayNode names = Options.data((ObjectNode) option.get("yAxis"));
    bars.forEach(bar -> names.add(bar.label()));
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      ObjectNode series =
          Options.of("{\"type\": \"bar\", \"stack\": \"parts\", \"barMaxWidth\": 16}")
              .put("name", part);
      ObjectNode style = series.putObject("itemStyle").put("color", colour(i));
      if (i >= COLOURS) {
        style.put("opacity", 0.55);
      }
      ArrayNode values = Options.data(series);
      for (Bar bar : bars) {
        double value = bar.parts().getOrDefault(part, 0.0);
        values
            .addObject()
            .put("tip", "%s\n%s: %s a record".formatted(bar.label(), part, Numbers.micros(value)))
            .put("value", Options.number(100 * value / bar.total()));
      }
      Options.array(option, "series").add(series);
    }
    return new Chart(option, AXIS_HEIGHT + ROW_HEIGHT * bars.size());
  }

  /** The page's colours in turn. */
  private static String colour(int i) {
    return "var(--s%d)".formatted(1 + i % COLOURS);
  }
}
