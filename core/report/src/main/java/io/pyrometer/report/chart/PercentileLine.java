package io.pyrometer.report.chart;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

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

  /** Copies the list. */
  public PercentileLine {
    points = List.copyOf(points);
  }

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
