package io.pyrometer.report.chart;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
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

  private PercentileChart() {}

  /** Curves, a line for each treatment. */
  public static Figure of(String caption, List<PercentileLine> lines) {
    List<Chart.Series> series =
        lines.stream()
            .map(
                line ->
                    new Chart.Series(
                        line.name(),
                        line.points().stream()
                            .filter(point -> point.quantile() < 1 && point.micros() > 0)
                            .map(p -> Chart.figures(1 / (1 - p.quantile()), p.micros()))
                            .toList()))
            .toList();
    return Figure.of(
        caption,
        new Chart(Kind.PERCENTILES, new Axis("percentile", true), new Axis("µs", true), series),
        table(lines));
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
