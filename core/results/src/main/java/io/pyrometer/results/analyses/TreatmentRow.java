package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OperationLatency;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The trials of one treatment, and its row in the ranking.
 *
 * @param ranked empty where no trial of it is valid, or where no ranking was given
 */
public record TreatmentRow(String label, List<TrialRecord> trials, Optional<Ranking.Row> ranked) {
  private static final double MILLIS = 1e-3;

  /**
   * One row for each treatment, in the order of the trials.
   *
   * @param label of a trial's treatment, as the rankings have it
   * @param rankings that hold throughput and latencies; empty where no column needs them
   */
  public static List<TreatmentRow> of(
      Collection<TrialRecord> trials,
      Function<TrialRecord, String> label,
      Collection<Ranking> rankings) {
    Map<String, Ranking.Row> ranked = new LinkedHashMap<>();
    rankings.forEach(ranking -> ranking.rows().forEach(row -> ranked.put(row.label(), row)));
    return trials.stream().collect(ListsByKey.by(label)).entrySet().stream()
        .map(
            e ->
                new TreatmentRow(
                    e.getKey(), e.getValue(), Optional.ofNullable(ranked.get(e.getKey()))))
        .toList();
  }

  /** One row for each treatment of the run, with its row in the ranking. */
  static List<TreatmentRow> ranked(RunRecord run) {
    return of(run.counting(), TrialRecord::label, Rankings.of(run));
  }

  /** One row for each treatment of the run with valid trials, without the ranking. */
  static List<TreatmentRow> valid(RunRecord run, Predicate<TrialRecord> which) {
    return inOrder(
        run,
        of(
            run.counting(trial -> trial.valid() && which.test(trial)),
            TrialRecord::label,
            List.of()));
  }

  /** In the order of the experiment's file, see {@link RunRecord#inOrder}. */
  static List<TreatmentRow> inOrder(RunRecord run, List<TreatmentRow> rows) {
    return rows.stream().sorted(run.inOrder(row -> row.trial().levels())).toList();
  }

  /** The first trial, for what all of them share. */
  public TrialRecord trial() {
    return trials.get(0);
  }

  /** Throughput in the ranking's unit. */
  public Optional<Estimate> throughput() {
    return ranked.map(Ranking.Row::throughput);
  }

  /** A percentile of an operation's latency, ms; empty where there are too few calls for it. */
  public Optional<Estimate> millis(String operation, LatencyStatistic statistic) {
    return latencies().stream()
        .filter(latency -> latency.operation().equals(operation))
        .flatMap(latency -> latency.of(statistic).stream())
        .findFirst()
        .map(micros -> micros.times(MILLIS, "ms"));
  }

  /** A percentile of the latency of a path with one operation, whatever its name. */
  public Optional<Estimate> millis(LatencyStatistic statistic) {
    return latencies().stream().findFirst().flatMap(l -> millis(l.operation(), statistic));
  }

  private List<OperationLatency> latencies() {
    return ranked.map(Ranking.Row::latencies).orElse(List.of());
  }

  /** The operations of all rows that the ranking has latencies of. */
  static Set<String> operations(List<TreatmentRow> rows) {
    return rows.stream()
        .flatMap(row -> row.latencies().stream())
        .map(OperationLatency::operation)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A metric of each trial that has it. */
  public List<Double> values(String metric) {
    return trials.stream().flatMap(trial -> trial.value(metric).stream()).toList();
  }

  /** The largest value of a metric in any trial. */
  public Optional<Double> max(String metric) {
    return values(metric).stream().max(Double::compare);
  }

  /** The arithmetic mean of a metric over the trials that have it. */
  public Optional<Estimate> mean(String metric) {
    return mean(trial -> trial.value(metric));
  }

  /** The geometric mean of values above 0 over the trials. */
  public Optional<Estimate> geometricMean(String metric) {
    return geometricMean(trial -> trial.value(metric));
  }

  /** The geometric mean of values above 0 over the trials. */
  Optional<Estimate> geometricMean(Function<TrialRecord, Optional<Double>> value) {
    double[] values = all(value).filter(each -> each > 0).toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(Means.geometric(values, ""));
  }

  private DoubleStream all(Function<TrialRecord, Optional<Double>> value) {
    return trials.stream().flatMap(trial -> value.apply(trial).stream()).mapToDouble(v -> v);
  }

  /** The arithmetic mean over the trials, without an interval. */
  public Optional<Double> average(String metric) {
    return mean(metric).map(Estimate::value);
  }

  /** The arithmetic mean of a value, without an interval. */
  Optional<Double> average(Function<TrialRecord, Optional<Double>> value) {
    return mean(value).map(Estimate::value);
  }

  /** The arithmetic mean of a value over the trials that have it. */
  public Optional<Estimate> mean(Function<TrialRecord, Optional<Double>> value) {
    return Means.arithmetic(all(value), "");
  }

  /** The values above 0 of the valid trials by block, as comparisons need them. */
  public Treatment replicates(Function<TrialRecord, Optional<Double>> value) {
    return RunRecord.values(trial().levels(), trials, value);
  }
}
