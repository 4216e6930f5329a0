package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Latency by percentile: the axis is 1/(1−q), so that each nine takes as much room. */
public final class PercentileChart {
  private static final List<Double> SHOWN = List.of(0.5, 0.9, 0.99, 0.999, 0.9999);

  private static final String FRAME =
      """
      {"grid": {"left": 4, "right": 30, "top": 46, "bottom": 34, "containLabel": true},
       "legend": {"type": "scroll", "top": 0, "left": 0, "icon": "roundRect", "itemHeight": 4},
       "tooltip": {"trigger": "axis", "confine": true, "valueFormatter": "fn:time",
                   "axisPointer": {"type": "line", "label": {"formatter": "fn:quantileOf"}}},
       "xAxis": {"type": "log", "min": 1, "name": "percentile", "nameLocation": "middle",
                 "nameGap": 30, "axisLabel": {"formatter": "fn:quantile"}},
       "yAxis": {"type": "log", "axisLabel": {"formatter": "fn:time"}},
       "series": []}
      """;

  private PercentileChart() {}

  /** A line for each treatment. */
  public static Figure of(String caption, List<PercentileLine> lines) {
    ObjectNode option = Options.of(FRAME);
    for (PercentileLine line : lines) {
      ObjectNode series = Options.array(option, "series").addObject();
      series.put("type", "line").put("showSymbol", false).put("name", line.name());
      series.putObject("lineStyle").put("width", 2);
      ArrayNode data = Options.data(series);
      line.points().stream()
          .filter(point -> point.quantile() < 1 && point.micros() > 0)
          .forEach(point -> data.add(Options.tuple(1 / (1 - point.quantile()), point.micros())));
    }
    return Figure.of(caption, new Chart(option, 380), table(lines));
  }

  private static Table table(List<PercentileLine> lines) {
    MetricTable<PercentileLine> table =
        new MetricTable<PercentileLine>("too few calls for this percentile: ten must lie beyond it")
            .text("Treatment", PercentileLine::name);
    SHOWN.forEach(
        quantile ->
            table.formatted(
                "p" + Numbers.shorten(100 * quantile, 4), line -> micros(line.at(quantile))));
    return table.of(lines);
  }

  private static String micros(OptionalDouble micros) {
    return micros.isPresent() ? Numbers.micros(micros.getAsDouble()) : Table.ABSENT;
  }

  /**
   * The latency of one treatment at rising quantiles.
   *
   * @param points in ascending order of their quantiles; only those that enough calls stand behind
   */
  public record PercentileLine(String name, List<Point> points) {
    /**
     * A quantile with its latency.
     *
     * @param quantile at least 0, below 1
     * @param micros above 0
     */
    public record Point(double quantile, double micros) {}

    private static final double[] PERCENTS = {1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99};

    /**
     * The curve of some calls, as far out as enough of them lie beyond.
     *
     * @param calls in nanoseconds
     */
    public static List<Point> points(LatencyCounts calls) {
      List<Point> points = new ArrayList<>();
      for (double percent : PERCENTS) {
        double micros = calls.percentile(percent) / 1e3;
        if (calls.count() >= Percentiles.samplesNeeded(percent) && micros > 0) {
          points.add(new Point(percent / 100, micros));
        }
      }
      return points;
    }

    /** The latency at the first point that reaches the quantile; empty if none does. */
    OptionalDouble at(double quantile) {
      return points.stream()
          .filter(point -> point.quantile() >= quantile - 1e-9)
          .mapToDouble(Point::micros)
          .findFirst();
    }
  }
}
