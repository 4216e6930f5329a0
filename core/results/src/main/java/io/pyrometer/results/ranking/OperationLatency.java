package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
  private static final String UNIT = "µs";

  /** A percentile; empty where there are too few calls for it. */
  public Optional<Estimate> of(LatencyStatistic statistic) {
    return Optional.ofNullable(percentiles.get(statistic));
  }

  OperationLatency withRatio(Optional<Estimate> toBaseline) {
    return new OperationLatency(operation, percentiles, toBaseline, curve, p99);
  }

  NamedMetric p99Metric() {
    return new NamedMetric(Metric.latency(operation, LatencyStatistic.P99), UNIT, Direction.LOWER);
  }

  /**
   * The p99 of this operation and of its counterparts in other treatments.
   *
   * @param own all operations of its treatment
   * @param byLabel the operations of all treatments
   */
  Map<String, Treatment> p99Values(
      List<OperationLatency> own, Map<String, List<OperationLatency>> byLabel) {
    Map<String, Treatment> values = new LinkedHashMap<>();
    byLabel.forEach(
        (label, others) ->
            counterpart(own, others).ifPresent(found -> values.put(label, found.p99())));
    return values;
  }

  /**
   * The operation of another treatment that this one is compared with: that of the same name, or
   * the only one that each has beside those, as products call a write put or set.
   */
  private Optional<OperationLatency> counterpart(
      List<OperationLatency> own, List<OperationLatency> others) {
    List<OperationLatency> theirs = unmatched(others, own);
    return unmatched(own, others).equals(List.of(this)) && theirs.size() == 1
        ? Optional.of(theirs.get(0))
        : others.stream().filter(each -> each.operation.equals(operation)).findFirst();
  }

  private static List<OperationLatency> unmatched(
      List<OperationLatency> some, List<OperationLatency> others) {
    return some.stream()
        .filter(one -> others.stream().noneMatch(o -> o.operation.equals(one.operation)))
        .toList();
  }

  /**
   * The latencies of a treatment by operation, in the order of their names. Where the histograms of
   * all its trials are there, the percentiles are of all calls together and the intervals those of
   * {@link Percentiles}: a bootstrap over blocks from ten on, a log-t interval over the blocks' own
   * percentiles below. Where one is missing, the estimate is the geometric mean of the trials' own
   * percentiles.
   *
   * @param trials the valid ones of one treatment
   */
  static List<OperationLatency> of(List<TrialRecord> trials) {
    Map<String, List<LatencyCounts>> blockCounts = new TreeMap<>();
    for (TrialRecord trial : trials) {
      operations(trial).forEach(of -> blockCounts.computeIfAbsent(of, o -> new ArrayList<>()));
      trial.latencies().forEach((of, calls) -> ListsByKey.add(blockCounts, of, calls));
    }
    List<OperationLatency> latencies = new ArrayList<>();
    blockCounts.forEach((operation, blocks) -> latencies.add(of(operation, blocks, trials)));
    return latencies;
  }

  private static OperationLatency of(
      String operation, List<LatencyCounts> blocks, List<TrialRecord> trials) {
    Optional<LatencyCounts> merged =
        Optional.of(blocks).filter(of -> !of.isEmpty()).map(LatencyCounts::merged);
    long withMetrics = trials.stream().filter(t -> operations(t).contains(operation)).count();
    return new OperationLatency(
        operation,
        merged
            .filter(all -> blocks.size() >= withMetrics)
            .map(all -> ofCalls(blocks, all))
            .orElseGet(() -> ofMetrics(operation, trials)),
        Optional.empty(),
        merged.map(PercentileLine::points).orElse(List.of()),
        values(trials, Metric.latency(operation, LatencyStatistic.P99)));
  }

  private static Treatment values(List<TrialRecord> trials, String metric) {
    return RunRecord.values(trials.get(0).levels(), trials, trial -> trial.value(metric));
  }

  private static Set<String> operations(TrialRecord trial) {
    return trial.metrics().keySet().stream()
        .flatMap(name -> Metric.parseLatency(name).stream())
        .map(Metric.OperationStatistic::operation)
        .collect(Collectors.toSet());
  }

  private static Map<LatencyStatistic, Estimate> ofCalls(
      List<LatencyCounts> blocks, LatencyCounts merged) {
    Map<Double, Estimate> estimates =
        Percentiles.estimates(
            blocks,
            merged,
            LatencyStatistic.PERCENTILES.stream().map(LatencyStatistic::percent).toList(),
            "ns");
    Map<LatencyStatistic, Estimate> percentiles = new EnumMap<>(LatencyStatistic.class);
    LatencyStatistic.PERCENTILES.forEach(
        statistic ->
            Optional.ofNullable(estimates.get(statistic.percent()))
                .ifPresent(e -> percentiles.put(statistic, e.times(1e-3, UNIT))));
    return percentiles;
  }

  private static Map<LatencyStatistic, Estimate> ofMetrics(
      String operation, List<TrialRecord> trials) {
    Map<LatencyStatistic, Estimate> percentiles = new EnumMap<>(LatencyStatistic.class);
    for (LatencyStatistic statistic : LatencyStatistic.PERCENTILES) {
      double[] values = values(trials, Metric.latency(operation, statistic)).values();
      if (values.length > 0) {
        percentiles.put(statistic, Means.geometric(values, UNIT));
      }
    }
    return percentiles;
  }
}
