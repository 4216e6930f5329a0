package io.pyrometer.results.compare;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Amount;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Metrics of a comparison with their smallest relevant differences. Metrics have names, such as
 * {@code latency.get.p99}, or the forms {@code p99(get)} and, of all operations, {@code p99}.
 *
 * @param only these; empty for throughput, CPU time, p50 and p99
 * @param delta smallest relevant difference of every metric, 0.03 for 3 %; empty for the metrics'
 *     defaults
 * @param deltas of single metrics by name, which precede the others
 */
public record JudgedMetrics(Set<String> only, Optional<Double> delta, Map<String, Double> deltas) {
  /** Throughput, CPU time per record, and p50 and p99 of each operation. */
  public static final JudgedMetrics USUAL = new JudgedMetrics(Set.of(), Optional.empty(), Map.of());

  /** Metrics that load trials may have besides latencies, of names without a dot. */
  private static final List<String> METRICS =
      List.of(
          Metric.THROUGHPUT,
          Metric.CPU,
          Metric.HANDED_OVER,
          Metric.FIRST_CALL,
          Metric.LOADED,
          Metric.SERVERS_START,
          Metric.ALLOCATED,
          Metric.DISTINCT_KEYS,
          Metric.OFFERED_RATE,
          Metric.COMPLETED_OF_OFFERED,
          Metric.BACKLOG_AT_START,
          Metric.BACKLOG_AT_END);

  private static final Pattern LATENCY = Pattern.compile("latency\\..*|p\\d.*|.*\\(.*");

  /**
   * Parses options of the command line.
   *
   * @param deltas {@code 3%} or {@code 0.03} of every metric, {@code metric=3%} of one
   * @throws RunException if one is no share between 0 and 1
   */
  public static JudgedMetrics parse(Set<String> only, List<String> deltas) {
    Optional<Double> overall = Optional.empty();
    Map<String, Double> byMetric = new LinkedHashMap<>();
    for (String text : deltas) {
      int sign = text.indexOf('=');
      if (sign < 0) {
        overall = Optional.of(share(text));
      } else {
        byMetric.put(text.substring(0, sign).strip(), share(text.substring(sign + 1)));
      }
    }
    return new JudgedMetrics(only, overall, byMetric);
  }

  private static double share(String text) {
    return Amount.parse(text, Amount.SHARES)
        .map(BigDecimal::doubleValue)
        .filter(share -> share > 0 && share < 1)
        .orElseThrow(
            () ->
                RunException.of(
                    "--delta takes a share between 0 and 1, as 3%% or 0.03, not '%s'; correct it.",
                    text));
  }

  /** The plan of an interleaved run with what is given now. */
  JudgedMetrics or(Interleaving plan) {
    boolean replaced = delta.isPresent() || !deltas.isEmpty();
    return new JudgedMetrics(
        only.isEmpty() ? Set.copyOf(plan.only()) : only,
        replaced ? delta : plan.delta(),
        replaced ? deltas : plan.deltas());
  }

  /** The smallest relevant difference of a metric. */
  double margin(NamedMetric metric) {
    return deltas.entrySet().stream()
        .filter(each -> isName(each.getKey(), metric))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> delta)
        .orElseGet(metric::defaultDelta);
  }

  /**
   * Refuses an experiment one of whose thresholds limits what no trial can have.
   *
   * @throws RunException naming the metric, and those that there are
   */
  public static void requireThresholds(PlannedRun planned) {
    Set<String> names =
        planned.experiment().thresholds().stream()
            .map(Threshold::metric)
            .collect(Collectors.toSet());
    try {
      new JudgedMetrics(names, Optional.empty(), Map.of()).requirePossible(planned);
    } catch (RunException unknown) {
      throw RunException.of("thresholds: %s", unknown.getMessage());
    }
  }

  /**
   * Refuses a name of which no trial of a load experiment can have a metric. Names with a dot, such
   * as those of telemetry, and the operations of queries are known only when there are trials.
   *
   * @throws RunException naming it, and those that there are
   */
  public void requirePossible(PlannedRun planned) {
    if (planned.trials().stream().anyMatch(trial -> !trial.job().isLoad())) {
      return;
    }
    List<List<String>> ofTrials =
        planned.trials().stream()
            .map(TrialSpec::settings)
            .map(trial -> planned.path(trial).map(path -> path.operations(trial)).orElse(List.of()))
            .distinct()
            .toList();
    boolean known = ofTrials.stream().noneMatch(List::isEmpty);
    List<String> operations = ofTrials.stream().flatMap(List::stream).distinct().sorted().toList();
    List<NamedMetric> possible =
        Stream.concat(
                METRICS.stream(),
                operations.stream()
                    .flatMap(
                        operation ->
                            Stream.of(LatencyStatistic.values())
                                .map(statistic -> Metric.latency(operation, statistic))))
            .map(name -> new NamedMetric(name, "", Direction.LOWER))
            .toList();
    unknown(possible)
        .filter(name -> LATENCY.matcher(name).matches() ? known : !name.contains("."))
        .findFirst()
        .ifPresent(
            name -> {
              throw RunException.of(
                  "No trial will have a metric '%s'; there are %s%s.",
                  name,
                  String.join(", ", METRICS),
                  operations.isEmpty()
                      ? ""
                      : ", and percentiles, as p99(%s), of %s"
                          .formatted(operations.get(0), Phrases.and(operations)));
            });
  }

  boolean include(NamedMetric metric) {
    return only.isEmpty()
        ? metric.standard()
        : only.stream().anyMatch(name -> isName(name, metric));
  }

  /**
   * Refuses a name of which no trial has a metric.
   *
   * @throws RunException naming it, and those that there are
   */
  void requireKnown(Stream<TrialRecord> trials) {
    List<NamedMetric> known = NamedMetric.of(trials.toList());
    if (known.isEmpty()) {
      throw RunException.of(
          "No trial of these runs is valid, so nothing can be compared; 'pyrometer report' says why.");
    }
    unknown(known)
        .findFirst()
        .ifPresent(
            name -> {
              throw RunException.of(
                  "No run has a metric '%s' that is better or worse; there are %s.",
                  name, known.stream().map(NamedMetric::name).collect(Collectors.joining(", ")));
            });
  }

  /** The names that none of some metrics has. */
  private Stream<String> unknown(Collection<NamedMetric> metrics) {
    return Stream.concat(only.stream(), deltas.keySet().stream())
        .filter(name -> metrics.stream().noneMatch(metric -> isName(name, metric)));
  }

  private static boolean isName(String name, NamedMetric metric) {
    return name.equals(metric.name())
        || metric
            .latency()
            .filter(
                of ->
                    name.equals(of.statistic().label())
                        || name.equals("%s(%s)".formatted(of.statistic().label(), of.operation())))
            .isPresent();
  }
}
