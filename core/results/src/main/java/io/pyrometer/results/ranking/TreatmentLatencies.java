package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.chart.PercentileChart.PercentileLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Estimates the latencies of a treatment. Where the histograms of all its trials are there, the
 * percentiles are of all calls together and the intervals those of {@link Percentiles}: a bootstrap
 * over blocks from ten on, a log-t interval over the blocks' own percentiles below. Where one is
 * missing, the estimate is the geometric mean of the trials' own percentiles.
 */
final class TreatmentLatencies {
  private static final String UNIT = "µs";
  private static final Map<LatencyStatistic, Double> PERCENTILES =
      new EnumMap<>(
          Map.of(
              LatencyStatistic.P50, 50.0,
              LatencyStatistic.P90, 90.0,
              LatencyStatistic.P99, 99.0,
              LatencyStatistic.P999, 99.9));

  private final RunRecord run;
  private final RunIntervals intervals;

  TreatmentLatencies(RunRecord run, RunIntervals intervals) {
    this.run = run;
    this.intervals = intervals;
  }

  /**
   * By operation, in the order of their names.
   *
   * @param trials the valid ones of one treatment
   */
  List<OperationLatency> of(List<TrialRecord> trials) {
    Map<String, List<LatencyCounts>> blockCounts = blockCounts(trials);
    TreeSet<String> operations = new TreeSet<>(blockCounts.keySet());
    trials.forEach(trial -> operations.addAll(operations(trial)));
    List<OperationLatency> latencies = new ArrayList<>();
    for (String operation : operations) {
      List<LatencyCounts> blocks = blockCounts.getOrDefault(operation, List.of());
      Optional<LatencyCounts> merged =
          blocks.isEmpty() ? Optional.empty() : Optional.of(LatencyCounts.merged(blocks));
      long withMetrics = trials.stream().filter(t -> operations(t).contains(operation)).count();
      boolean whole = blocks.size() >= withMetrics;
      latencies.add(
          new OperationLatency(
              operation,
              merged
                  .filter(all -> whole)
                  .map(all -> ofCalls(blocks, all))
                  .orElseGet(() -> ofMetrics(operation, trials)),
              Optional.empty(),
              merged.map(PercentileLine::points).orElse(List.of()),
              TreatmentTrials.values(
                  trials.get(0).levels(),
                  trials,
                  Metric.latency(operation, LatencyStatistic.P99))));
    }
    return latencies;
  }

  private static Set<String> operations(TrialRecord trial) {
    TreeSet<String> operations = new TreeSet<>();
    trial
        .metrics()
        .keySet()
        .forEach(name -> Metric.parseLatency(name).ifPresent(l -> operations.add(l.operation())));
    return operations;
  }

  private Map<String, List<LatencyCounts>> blockCounts(List<TrialRecord> trials) {
    Map<String, List<LatencyCounts>> blockCounts = new TreeMap<>();
    for (TrialRecord trial : trials) {
      LatencyCounts.Timing timing =
          OfferedRate.of(trial) > 0
              ? LatencyCounts.Timing.INTENDED_START
              : LatencyCounts.Timing.SENT;
      Latencies.counts(run.folder().histogram(trial.id(), trial.attempt()), timing)
          .forEach((operation, counts) -> ListsByKey.add(blockCounts, operation, counts));
    }
    return blockCounts;
  }

  private Map<LatencyStatistic, Estimate> ofCalls(
      List<LatencyCounts> blocks, LatencyCounts merged) {
    Map<Double, Estimate> estimates =
        Percentiles.estimates(
            blocks,
            merged,
            List.copyOf(PERCENTILES.values()),
            "ns",
            intervals.computed(blocks.size()));
    Map<LatencyStatistic, Estimate> percentiles = new EnumMap<>(LatencyStatistic.class);
    PERCENTILES.forEach(
        (statistic, percent) ->
            Optional.ofNullable(estimates.get(percent))
                .ifPresent(
                    e -> percentiles.put(statistic, intervals.promised(e.times(1e-3, UNIT)))));
    return percentiles;
  }

  private Map<LatencyStatistic, Estimate> ofMetrics(String operation, List<TrialRecord> trials) {
    Map<LatencyStatistic, Estimate> percentiles = new EnumMap<>(LatencyStatistic.class);
    for (LatencyStatistic statistic : PERCENTILES.keySet()) {
      double[] values =
          TreatmentTrials.values(
                  trials.get(0).levels(), trials, Metric.latency(operation, statistic))
              .values();
      if (values.length > 0) {
        percentiles.put(statistic, intervals.geometric(values, UNIT));
      }
    }
    return percentiles;
  }
}
