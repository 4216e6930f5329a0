package io.pyrometer.results;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.Metric.OperationStatistic;
import io.pyrometer.journal.TrialRecord;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A metric of which more or less is better, as results name it. Its identity is its name in {@link
 * TrialRecord#metrics()}.
 *
 * @param name such as {@code throughput} or {@code latency.get.p99}
 * @param unit of its values
 * @param better which way it improves
 */
public record NamedMetric(String name, String unit, Direction better) {
  public static final NamedMetric THROUGHPUT =
      new NamedMetric(Metric.THROUGHPUT, "records/s", Direction.HIGHER);

  private static final double USUAL_DELTA = 0.03;
  private static final double MEDIAN_LATENCY_DELTA = 0.05;
  private static final double TAIL_LATENCY_DELTA = 0.10;

  /** Throughput, CPU time, latencies by operation and percentile, then all others by name. */
  private static final Comparator<NamedMetric> ORDER =
      Comparator.<NamedMetric>comparingInt(NamedMetric::rank)
          .thenComparing(m -> m.latency().map(OperationStatistic::operation).orElse(""))
          .thenComparing(
              m -> m.latency().map(OperationStatistic::statistic).orElse(LatencyStatistic.MEAN))
          .thenComparing(NamedMetric::name);

  /** Every metric with a direction that some of the trials have. */
  public static List<NamedMetric> of(Collection<TrialRecord> trials) {
    return trials.stream()
        .flatMap(trial -> trial.metrics().entrySet().stream())
        .flatMap(
            metric ->
                metric.getValue().better().stream()
                    .map(of -> new NamedMetric(metric.getKey(), metric.getValue().unit(), of)))
        .collect(Collectors.toMap(NamedMetric::name, each -> each, (first, other) -> first))
        .values()
        .stream()
        .sorted(ORDER)
        .toList();
  }

  /** The operation and statistic of a latency; empty for any other metric. */
  public Optional<OperationStatistic> latency() {
    return Metric.parseLatency(name);
  }

  /** Returns whether it is the given percentile of some operation's latency. */
  public boolean isLatency(LatencyStatistic statistic) {
    return latency().filter(latency -> latency.statistic() == statistic).isPresent();
  }

  /**
   * Returns whether runs are judged by it without being asked: throughput, CPU time, p50 and p99.
   */
  public boolean standard() {
    return rank() < 2 || isLatency(LatencyStatistic.P50) || isLatency(LatencyStatistic.P99);
  }

  /** As sentences name it: {@code p99 latency of get}. */
  public String label() {
    return switch (name) {
      case Metric.THROUGHPUT -> "throughput";
      case Metric.CPU -> "CPU time per record";
      default -> latency().map(NamedMetric::label).orElse(name);
    };
  }

  private static String label(OperationStatistic latency) {
    String statistic =
        switch (latency.statistic()) {
          case MEAN -> "mean";
          case MAX -> "maximum";
          default -> latency.statistic().label();
        };
    return statistic + " latency of " + latency.operation();
  }

  /**
   * The smallest relevant difference where the user gives none: 3 %, 5 % of a median latency and 10
   * % of a tail, which varies more from run to run.
   */
  public double defaultDelta() {
    return latency()
        .map(
            latency ->
                switch (latency.statistic()) {
                  case MEAN, P50 -> MEDIAN_LATENCY_DELTA;
                  case P90, P99, P999, MAX -> TAIL_LATENCY_DELTA;
                })
        .orElse(USUAL_DELTA);
  }

  private int rank() {
    return switch (name) {
      case Metric.THROUGHPUT -> 0;
      case Metric.CPU -> 1;
      default -> latency().isPresent() ? 2 : 3;
    };
  }
}
