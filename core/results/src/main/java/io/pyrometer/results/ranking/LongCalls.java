package io.pyrometer.results.ranking;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.RunRecord;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Calls beyond p99 that take most of the time of a treatment, which p50 and p99 do not show. */
final class LongCalls {
  private static final double MOST = 0.5;

  private LongCalls() {}

  static Optional<Finding> of(RunRecord run) {
    Map<String, Double> longest = new TreeMap<>();
    for (TrialRecord trial : run.counting()) {
      for (String name : trial.metrics().keySet()) {
        Metric.parseLatency(name)
            .filter(latency -> latency.statistic() == LatencyStatistic.MEAN)
            .filter(latency -> shareBeyondP99(trial, latency.operation()) >= MOST)
            .flatMap(latency -> trial.value(of(latency.operation(), LatencyStatistic.MAX)))
            .ifPresent(max -> longest.merge(KindReport.labelOf(trial), max, Math::max));
      }
    }
    return longest.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice("ranking.long-calls")
                .with("treatments", Value.names(longest.keySet()))
                .with("longest", Value.micros(Collections.max(longest.values()))));
  }

  /** At least: no call up to p99 took longer than p99. */
  private static double shareBeyondP99(TrialRecord trial, String operation) {
    Optional<Double> mean = trial.value(of(operation, LatencyStatistic.MEAN));
    Optional<Double> p99 = trial.value(of(operation, LatencyStatistic.P99));
    return mean.isPresent() && p99.isPresent() ? 1 - 0.99 * p99.get() / mean.get() : 0;
  }

  private static String of(String operation, LatencyStatistic statistic) {
    return Metric.latency(operation, statistic);
  }
}
