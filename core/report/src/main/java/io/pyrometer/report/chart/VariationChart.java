package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the variation of a response is due to. */
final class VariationChart {
  private static final String FRAME =
      """
      {"grid": {"left": 4, "right": 40, "top": 8, "bottom": 24, "containLabel": true},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "min": 0,
                 "axisLabel": {"formatter": "fn:percent", "hideOverlap": true}},
       "yAxis": {"type": "category", "inverse": true, "axisTick": {"show": false},
                 "axisLabel": {"color": "var(--ink)", "fontSize": 13, "interval": 0}},
       "series": [{"type": "bar", "barMaxWidth": 16,
                   "itemStyle": {"color": "var(--s1)", "borderRadius": [0, 3, 3, 0]}}]}
      """;

  private VariationChart() {}

  static Exhibit of(String caption, Map<String, Double> shares) {
    ObjectNode option = Options.of(FRAME);
    ArrayNode names = Options.data((ObjectNode) option.get("yAxis"));
    ArrayNode bars = Options.data(Options.series(option, 0));
    List<List<String>> rows = new ArrayList<>();
    shares.forEach(
        (name, share) -> {
          names.add(name);
          ObjectNode bar = bars.addObject();
          bar.put("value", Options.number(share));
          bar.put("tip", name + "\n" + Numbers.percent(share));
          rows.add(List.of(name, Numbers.percent(share)));
        });
    Chart chart = new Chart(option, 50 + 28 * shares.size());
    return Exhibit.of(caption, chart, Table.of(List.of("Source", "Share"), 1, rows));
  }
}
