package io.pyrometer.report.chart;

import io.pyrometer.analysis.factorial.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.scalability.LawFit;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.report.Exhibit;
import java.util.List;
import java.util.Map;

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

  /** The CPUs that each process of a trial used over time, a small chart for each. */
  public static Exhibit cpuOverTime(String caption, List<TimeLine> lines) {
    return TimeChart.ofProcesses(caption, lines);
  }

  /** Latency against the share of calls that were faster, both axes logarithmic. */
  public static Exhibit percentiles(String caption, List<PercentileLine> lines) {
    return percentiles(caption, "Treatment", lines);
  }

  /**
   * The same.
   *
   * @param what a line stands for, the header of their names in the table
   */
  public static Exhibit percentiles(String caption, String what, List<PercentileLine> lines) {
    return PercentileChart.of(caption, what, lines);
  }

  /**
   * Latency over time as a heat map, coloured by the share of the calls of an interval. Under it
   * lies a band for each lane with its marks.
   */
  public static Exhibit heatMap(String caption, HeatMap map) {
    return HeatMapChart.of(caption, map);
  }

  /** The marks under a heat map; a table alone. */
  public static Exhibit heatMapMarks(String caption, HeatMap map) {
    return HeatMapChart.marks(caption, map);
  }

  /** Measured throughput against N with the chosen model, its interval, and what lies beyond. */
  public static Exhibit scalability(String caption, Scalability found) {
    return ScalabilityCharts.fit(caption, found);
  }

  /** What a model leaves at each N, on the scale of its fit. */
  public static Exhibit residuals(String caption, LawFit fit, String what) {
    return ScalabilityCharts.residuals(caption, fit, what);
  }

  /** The parameters of a model with their profile intervals; a table alone. */
  public static Exhibit parameters(String caption, LawFit fit) {
    return ScalabilityCharts.parameters(caption, fit);
  }

  /** All models that could be fitted, best first; a table alone. */
  public static Exhibit models(String caption, Scalability found) {
    return ScalabilityCharts.models(caption, found);
  }

  /** Effects by size, with Lenth's limits where nothing was replicated. */
  public static Exhibit pareto(String caption, FactorialEffects found) {
    return EffectCharts.pareto(caption, found);
  }

  /** Sizes of effects against half-normal quantiles: noise lies on the line. */
  public static Exhibit halfNormal(String caption, FactorialEffects found) {
    return EffectCharts.halfNormal(caption, found);
  }

  /** What each effect is aliased with; a table alone. */
  public static Exhibit aliases(String caption, FactorialEffects found) {
    return EffectCharts.aliases(caption, found);
  }

  /** Means at the levels of each factor, on one scale. */
  public static Exhibit mainEffects(String caption, List<CellMean> means) {
    return MeansCharts.main(caption, means);
  }

  /** The means of pairs of factors: lines that are not parallel are interactions. */
  public static Exhibit interactions(String caption, List<List<CellMean>> pairs) {
    return MeansCharts.interactions(caption, pairs);
  }

  /** Shares of a response's variation, 0…1, by what they are due to, in the order given. */
  public static Exhibit variation(String caption, Map<String, Double> shares) {
    return VariationChart.of(caption, shares);
  }

  /** One figure over the runs of an experiment, oldest first, with its change points. */
  public static Exhibit history(String caption, String unit, List<HistoryPoint> points) {
    return HistoryChart.of(caption, unit, points);
  }

  /** The spans of one request over processes and time, in the order given. */
  public static Exhibit waterfall(String caption, List<WaterfallSpan> spans) {
    return WaterfallChart.of(caption, spans);
  }
}
