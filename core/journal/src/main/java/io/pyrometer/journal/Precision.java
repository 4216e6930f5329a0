package io.pyrometer.journal;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ListsByKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The decision whether the trials of a run are precise enough to stop. What must be precise is the
 * throughput of every treatment, or, where the experiment sets a rate and so fixes the throughput,
 * the p99 of each operation. A treatment without a single valid trial does not hold the run up.
 */
public final class Precision {
  private Precision() {}

  /**
   * Judges whole blocks.
   *
   * @param history every finished attempt
   */
  public static boolean reached(StoppingRule rule, List<TrialRecord> history) {
    Map<String, List<Double>> estimates = new LinkedHashMap<>();
    for (TrialRecord trial : Attempts.selectedAttempts(history)) {
      if (trial.outcome() == Outcome.OK) {
        responses(trial)
            .forEach((metric, value) -> ListsByKey.add(estimates, trial.levels() + metric, value));
      }
    }
    return !estimates.isEmpty()
        && estimates.values().stream()
            .allMatch(
                values -> rule.stops(values.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  private static Map<String, Double> responses(TrialRecord trial) {
    Map<String, Double> responses = new LinkedHashMap<>();
    if (!trial.openLoop()) {
      trial.throughput().ifPresent(value -> responses.put(Metric.THROUGHPUT, value));
      return responses;
    }
    trial
        .metrics()
        .forEach(
            (name, metric) ->
                Metric.parseLatency(name)
                    .filter(latency -> latency.statistic() == LatencyStatistic.P99)
                    .ifPresent(latency -> responses.put(name, metric.value())));
    return responses;
  }
}
