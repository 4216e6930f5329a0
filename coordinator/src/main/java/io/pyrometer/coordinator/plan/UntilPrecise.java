package io.pyrometer.coordinator.plan;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds whole blocks until the estimate of every treatment is precise enough, or the plan ends. The
 * estimate is of throughput, or, where the experiment sets a rate and so fixes the throughput, of
 * the p99 of each operation. A treatment without a single valid trial does not hold the run up.
 */
final class UntilPrecise implements TrialSource {
  private final FixedPlan plan;
  private final StoppingRule rule;

  /**
   * @param groups of the largest number of blocks
   */
  UntilPrecise(List<Group> groups, StoppingRule rule) {
    this.plan = new FixedPlan(groups);
    this.rule = rule;
  }

  @Override
  public Optional<Group> next(List<TrialRecord> history) {
    Optional<Group> next = plan.next(history);
    boolean blockBegins =
        next.isPresent()
            && history.stream().noneMatch(trial -> trial.block() == next.get().block());
    return blockBegins && precise(history) ? Optional.empty() : next;
  }

  private boolean precise(List<TrialRecord> history) {
    Map<String, List<Double>> estimates = new LinkedHashMap<>();
    for (TrialRecord trial : Attempts.counting(history)) {
      if (trial.outcome() == Outcome.OK) {
        responses(trial)
            .forEach(
                (metric, value) ->
                    estimates
                        .computeIfAbsent(trial.levels() + metric, key -> new ArrayList<>())
                        .add(value));
      }
    }
    return !estimates.isEmpty()
        && estimates.values().stream()
            .allMatch(
                values ->
                    rule.decide(values.stream().mapToDouble(Double::doubleValue).toArray(), "")
                        .stop());
  }

  private static Map<String, Double> responses(TrialRecord trial) {
    Map<String, Double> responses = new LinkedHashMap<>();
    boolean open = trial.settings().has("rate") && trial.settings().decimal("rate") > 0;
    if (!open) {
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
