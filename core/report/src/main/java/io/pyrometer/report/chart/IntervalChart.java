package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
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

  private IntervalChart() {}

  /**
   * Treatments in the order given, best first, as points with their intervals; on a logarithmic
   * axis where the largest is over 20 times the smallest.
   */
  public static Figure points(String caption, String unit, List<Ranked> rows) {
    Chart chart = chart(Kind.POINTS, new Axis(unit, isWide(rows)), rows);
    return Figure.of(caption, chart, table(unit, rows));
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
        chart(Kind.BARS, Axis.linear("%"), bars),
        new MetricTable<Ranked>()
            .text("Source", Ranked::label)
            .formatted("Share", bar -> Numbers.percent(bar.estimate().value() / 100))
            .of(bars));
  }

  private static boolean isWide(List<Ranked> rows) {
    double least = rows.stream().mapToDouble(row -> row.estimate().low()).min().orElse(1);
    double most = rows.stream().mapToDouble(row -> row.estimate().high()).max().orElse(1);
    return least > 0 && most / least > LARGEST_LINEAR_RATIO;
  }

  private static Chart chart(Kind kind, Axis axis, List<Ranked> rows) {
    List<List<Object>> points =
        rows.stream().map(row -> Chart.point(row.label(), row.estimate(), row.note())).toList();
    return new Chart(kind, axis, Axis.PLAIN, List.of(new Chart.Series("", points)));
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
