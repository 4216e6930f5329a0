package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import java.util.List;

/** The spans of one request below each other, each where it lies in time. */
public final class WaterfallChart {
  private static final int ROW_HEIGHT = 19;
  private static final int AXIS_HEIGHT = 110;

  private static final String FRAME =
      """
      {"grid": {"left": 4, "right": 16, "top": 54, "bottom": 30, "containLabel": true},
       "legend": {"top": 0, "left": 0, "itemWidth": 14, "itemGap": 12},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "min": 0, "name": "ms", "nameLocation": "middle", "nameGap": 24,
                 "axisLabel": {"formatter": "fn:short", "hideOverlap": true}},
       "yAxis": {"type": "category", "inverse": true, "axisTick": {"show": false},
                 "axisLabel": {"color": "var(--ink)", "fontSize": 11, "interval": 0}},
       "series": [{"type": "bar", "stack": "span", "silent": true,
                   "itemStyle": {"color": "transparent"}}]}
      """;
  private static final String BARS =
      """
      {"type": "bar", "stack": "span", "barMaxWidth": 12, "barMinHeight": 2}
      """;

  /** What echarts draws no bar for. */
  private static final String NOTHING = "-";

  private WaterfallChart() {}

  /** In the order given. */
  public static Figure of(String caption, List<WaterfallSpan> spans) {
    ObjectNode option = Options.of(FRAME);
    ArrayNode names = Options.data((ObjectNode) option.get("yAxis"));
    ArrayNode before = Options.data(Options.series(option, 0));
    for (WaterfallSpan span : spans) {
      names.add(span.process() + ": " + span.name());
      before.add(Options.number(span.fromMillis()));
    }
    spans.stream().map(WaterfallSpan::part).distinct().forEach(part -> bars(option, part, spans));
    return Figure.of(
        caption,
        new Chart(option, AXIS_HEIGHT + ROW_HEIGHT * spans.size()),
        new MetricTable<WaterfallSpan>()
            .text("process", WaterfallSpan::process)
            .text("span", WaterfallSpan::name)
            .text("part", WaterfallSpan::part)
            .formatted("from ms", span -> Numbers.fixed(span.fromMillis(), 3))
            .formatted("ms", span -> Numbers.fixed(span.millis(), 3))
            .of(spans));
  }

  /** The spans of one part, so that the legend names it. */
  private static void bars(ObjectNode option, String part, List<WaterfallSpan> spans) {
    ObjectNode series = Options.of(BARS).put("name", part);
    series.putObject("itemStyle").put("color", colour(part));
    ArrayNode lengths = Options.data(series);
    for (WaterfallSpan span : spans) {
      if (!span.part().equals(part)) {
        lengths.add(NOTHING);
        continue;
      }
      lengths
          .addObject()
          .put(
              "tip",
              "%s: %s\n%s ms, %s"
                  .formatted(span.process(), span.name(), Numbers.shorten(span.millis()), part))
          .put("value", Options.number(span.millis()));
    }
    Options.array(option, "series").add(series);
  }

  /** One colour a part; what only waits is the page's quiet colour. */
  private static String colour(String part) {
    return switch (part) {
      case "mock" -> "var(--s5)";
      case "transport" -> "var(--s2)";
      case "lock wait" -> "var(--s4)";
      case "cache read" -> "var(--s3)";
      case "cache write" -> "var(--s1)";
      default -> "var(--soft)";
    };
  }

  /**
   * One span of a request.
   *
   * @param part what its time counts as
   * @param fromMillis since the begin of the request
   * @param millis how long it took
   */
  public record WaterfallSpan(
      String process, String name, String part, double fromMillis, double millis) {}
}
