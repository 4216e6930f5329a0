package io.pyrometer.report.chart;

import io.pyrometer.report.Exhibit;
import java.util.List;

/**
 * All charts with their tables. Captions are the caller's: they name the figures and their unit.
 */
public final class Charts {
  private Charts() {}

  /**
   * Treatments in the order given, best first, as points with their intervals; on a logarithmic
   * axis where the largest is over 20 times the smallest.
   */
  public static Exhibit ranking(String caption, String unit, List<Ranked> rows) {
    return IntervalChart.points(caption, unit, rows);
  }

  /** The same as bars from 0, for what is spent: CPU time, bytes. Never on a logarithmic axis. */
  public static Exhibit cost(String caption, String unit, List<Ranked> rows) {
    return IntervalChart.bars(caption, unit, rows);
  }

  /** Throughput over time, a small chart for each trial, with the warm-up shaded. */
  public static Exhibit throughputOverTime(String caption, String unit, List<TimeLine> lines) {
    return TimeChart.of(caption, unit, lines);
  }

  /** Latency against the share of calls that were faster, both axes logarithmic. */
  public static Exhibit percentiles(String caption, List<PercentileLine> lines) {
    return PercentileChart.of(caption, lines);
  }
}
