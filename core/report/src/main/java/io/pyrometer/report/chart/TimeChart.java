package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;

/** Throughput or CPU time over time as small multiples, each from 0 to its own maximum. */
public final class TimeChart {
  private static final int MOST_CHARTS = 36;
  private static final int HEIGHT = 150;

  private static final String FRAME =
      """
      {"multiples": {"width": 270, "height": 150},
       "tooltip": {"trigger": "axis", "confine": true, "axisPointer": {"type": "line"},
                   "valueFormatter": "fn:short"},
       "title": [], "grid": [], "xAxis": [], "yAxis": [], "series": []}
      """;
  private static final String X_AXIS =
      """
      {"type": "value", "min": 0, "max": "dataMax", "splitLine": {"show": false},
       "axisLabel": {"hideOverlap": true, "formatter": "{value} s", "showMaxLabel": false}}
      """;
  private static final String Y_AXIS =
      """
      {"type": "value", "min": 0, "splitNumber": 2,
       "axisLabel": {"formatter": "fn:short", "hideOverlap": true}}
      """;
  private static final String LINE =
      """
      {"type": "line", "showSymbol": false, "lineStyle": {"width": 1.5, "color": "var(--s1)"},
       "itemStyle": {"color": "var(--s1)"},
       "markArea": {"silent": true, "itemStyle": {"color": "var(--s5)", "opacity": 0.16},
                    "data": []},
       "markLine": {"silent": true, "symbol": "none", "label": {"show": false},
                    "lineStyle": {"color": "var(--accent)", "type": "solid", "width": 1},
                    "data": []}}
      """;

  private TimeChart() {}

  /** Throughput, a small chart for each trial, with the warm-up shaded. */
  public static Figure throughput(String caption, String unit, List<TimeLine> lines) {
    return figure(caption, "trials", lines, table(unit, lines));
  }

  /**
   * Anything over time, a small chart for each line.
   *
   * @param what the lines are of, in the plural
   * @param columns of the table: of the line's name, of the seconds and of the value
   */
  public static Figure seconds(
      String caption, String what, List<String> columns, List<TimeLine> lines) {
    List<List<String>> rows = new ArrayList<>();
    for (TimeLine line : lines) {
      for (int i = 0; i < line.rates().size(); i++) {
        rows.add(
            List.of(
                line.name(),
                Numbers.fixed(line.secondsAt(i), 1),
                Numbers.fixed(line.rates().get(i), 2)));
      }
    }
    return figure(caption, what, lines, Table.of(columns, 1, rows));
  }

  private static Figure figure(String caption, String what, List<TimeLine> lines, Table table) {
    ObjectNode option = Options.of(FRAME);
    List<TimeLine> drawn = lines.subList(0, Math.min(MOST_CHARTS, lines.size()));
    for (int i = 0; i < drawn.size(); i++) {
      add(option, drawn.get(i), i);
    }
    String rest =
        drawn.size() < lines.size()
            ? " Drawn are the first %d of %d %s; the table holds all."
                .formatted(drawn.size(), lines.size(), what)
            : "";
    Chart chart = new Chart(option, HEIGHT * ((drawn.size() + 2) / 3));
    return Figure.of(caption + rest, chart, table);
  }

  private static void add(ObjectNode option, TimeLine line, int i) {
    Options.array(option, "title")
        .addObject()
        .put("text", line.settled() ? line.name() : line.name() + " – never settled");
    Options.array(option, "grid").addObject();
    Options.array(option, "xAxis").add(Options.of(X_AXIS).put("gridIndex", i));
    Options.array(option, "yAxis").add(Options.of(Y_AXIS).put("gridIndex", i));
    ObjectNode series = Options.of(LINE).put("xAxisIndex", i).put("yAxisIndex", i);
    series.put("name", line.name());
    ArrayNode data = Options.data(series);
    for (int s = 0; s < line.rates().size(); s++) {
      data.add(Options.tuple(line.secondsAt(s), line.rates().get(s)));
    }
    double end = line.secondsAt(line.measuredFrom());
    ArrayNode area = ((ArrayNode) series.get("markArea").get("data")).addArray();
    area.addObject().put("xAxis", 0);
    area.addObject().put("xAxis", end);
    ((ArrayNode) series.get("markLine").get("data")).addObject().put("xAxis", end);
    Options.array(option, "series").add(series);
  }

  private static Table table(String unit, List<TimeLine> lines) {
    List<String> header =
        List.of("Trial", "Warm-up s", "Settled", unit + " before", unit + " measured", "Range");
    return Table.of(header, 1, lines.stream().map(TimeChart::row).toList())
        .withAbsent("no sample in this part of the trial");
  }

  private static List<String> row(TimeLine line) {
    int from = Math.min(line.measuredFrom(), line.rates().size());
    List<Double> warmUp = line.rates().subList(0, from);
    List<Double> measured = line.rates().subList(from, line.rates().size());
    double least = measured.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = measured.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return List.of(
        line.name(),
        Numbers.shorten(line.secondsAt(from)),
        line.settled() ? "yes" : "no",
        mean(warmUp),
        mean(measured),
        measured.isEmpty() ? Table.ABSENT : Numbers.shorten(least) + " … " + Numbers.shorten(most));
  }

  private static String mean(List<Double> rates) {
    return rates.isEmpty()
        ? Table.ABSENT
        : Numbers.shorten(rates.stream().mapToDouble(Double::doubleValue).average().orElse(0));
  }

  /**
   * Something of one trial over time: its throughput, or the CPU time of one of its processes.
   *
   * @param rates in units a second, one for each sample
   * @param samplesPerSecond how many samples a second holds
   * @param measuredFrom index of the first sample that counts; before it lies the warm-up
   * @param settled whether the warm-up ended in a steady state
   */
  public record TimeLine(
      String name, List<Double> rates, double samplesPerSecond, int measuredFrom, boolean settled) {
    double secondsAt(int sample) {
      return sample / samplesPerSecond;
    }
  }
}
