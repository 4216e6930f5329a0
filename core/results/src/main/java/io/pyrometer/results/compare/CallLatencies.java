package io.pyrometer.results.compare;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric.OperationStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The latencies of all calls of trials, as their files hold them. Each file is read once, so that a
 * comparison which is judged after every block reads those of the new block alone.
 */
final class CallLatencies {
  private final Map<String, Map<String, LatencyCounts>> read = new HashMap<>();

  /** The percentile that a metric is, where it is one of the tail: p90, p99 or p99.9. */
  static OptionalDouble tail(NamedMetric metric) {
    return metric
        .latency()
        .map(OperationStatistic::statistic)
        .map(
            statistic ->
                switch (statistic) {
                  case P90 -> OptionalDouble.of(90);
                  case P99 -> OptionalDouble.of(99);
                  case P999 -> OptionalDouble.of(99.9);
                  case P50, MEAN, MAX -> OptionalDouble.empty();
                })
        .orElse(OptionalDouble.empty());
  }

  /**
   * The calls of each trial by which a tail metric is judged; empty if the metric is none, a file
   * is missing, or all trials together have too few calls for the percentile.
   */
  Optional<List<LatencyCounts>> of(RunRecord run, List<TrialRecord> trials, NamedMetric metric) {
    OptionalDouble percent = tail(metric);
    if (percent.isEmpty()) {
      return Optional.empty();
    }
    String operation = metric.latency().map(OperationStatistic::operation).orElseThrow();
    List<LatencyCounts> calls =
        trials.stream()
            .map(trial -> counts(run, trial).get(operation))
            .filter(Objects::nonNull)
            .toList();
    long all = calls.stream().mapToLong(LatencyCounts::count).sum();
    return calls.size() == trials.size() && all >= Percentiles.samplesNeeded(percent.getAsDouble())
        ? Optional.of(calls)
        : Optional.empty();
  }

  private Map<String, LatencyCounts> counts(RunRecord run, TrialRecord trial) {
    return read.computeIfAbsent(
        run.folder().path() + "\n" + trial.id() + "\n" + trial.attempt(),
        key ->
            Latencies.counts(
                run.folder().histogram(trial.id(), trial.attempt()),
                LatencyCounts.Timing.INTENDED_START));
  }
}
