package io.pyrometer.report.chart;

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

  /** Copies the list. */
  public PercentileLine {
    points = List.copyOf(points);
  }

  /** The latency at the first point that reaches the quantile; empty if none does. */
  OptionalDouble at(double quantile) {
    return points.stream()
        .filter(point -> point.quantile() >= quantile - 1e-9)
        .mapToDouble(Point::micros)
        .findFirst();
  }
}
