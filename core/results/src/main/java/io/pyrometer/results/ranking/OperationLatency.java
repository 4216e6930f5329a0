package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The latency of one operation of a treatment in microseconds, over all its blocks. Operations are
 * never pooled: a read and a write are two distributions.
 *
 * @param operation such as {@code get}
 * @param percentiles p50, p90, p99 and p99.9 of the calls of all blocks together, each with its
 *     interval over blocks; without those that there are too few calls for
 * @param ratio of p99 to that of the baseline, within the blocks; empty for the baseline itself
 * @param curve share of the calls and microseconds, as far out as calls reach
 * @param p99 of each block
 */
public record OperationLatency(
    String operation,
    Map<LatencyStatistic, Estimate> percentiles,
    Optional<Estimate> ratio,
    List<PercentileLine.Point> curve,
    Treatment p99) {
  public OperationLatency {
    percentiles =
        percentiles.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(percentiles));
    curve = List.copyOf(curve);
  }

  /** A percentile; empty where there are too few calls for it. */
  public Optional<Estimate> of(LatencyStatistic statistic) {
    return Optional.ofNullable(percentiles.get(statistic));
  }

  OperationLatency withRatio(Optional<Estimate> toBaseline) {
    return new OperationLatency(operation, percentiles, toBaseline, curve, p99);
  }
}
