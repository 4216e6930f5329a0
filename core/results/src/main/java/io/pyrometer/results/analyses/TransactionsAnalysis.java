package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The anomalies and the cost of kinds of transactions, at each level of the other factors (such as
 * the number of accounts) by itself: wrong balances, rollbacks, and the fastest kind that left
 * every balance right.
 */
public final class TransactionsAnalysis implements Analysis {
  private static final String ROLLBACKS = Metric.EVENTS + "rollbacks-";
  private static final double RECORDS_OF_A_TRANSFER = 2;

  @Override
  public String id() {
    return "transactions";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> each.job().equals(Optional.of(Job.TRANSFER)),
        "'transactions' needs a path that transfers amounts, and no treatment has one; take a path of the job 'transfer' or remove it.");
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    RunRecord transfers = run.of(trial -> trial.job() == Job.TRANSFER);
    Set<String> kindFactors = kindFactors(transfers);
    // Less contention hides a lost update: a kind that lost one anywhere in the run is unsafe.
    Set<List<String>> unsafe =
        transfers.counting().stream()
            .filter(trial -> trial.value(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0)
            .map(trial -> kind(run, trial))
            .collect(Collectors.toSet());
    Set<Map<String, String>> parts = new LinkedHashSet<>();
    transfers.counting().forEach(trial -> parts.add(others(trial, kindFactors)));
    if (parts.isEmpty()) {
      parts.add(Map.of());
    }
    return parts.stream()
        .map(
            part ->
                new RunAnalysis(
                    id(),
                    parts.size() == 1 ? "" : words(part),
                    "transactions",
                    "transfers/s",
                    true,
                    RunAnalyses.analyze(
                        () ->
                            analyze(
                                transfers.of(trial -> others(trial, kindFactors).equals(part)),
                                kindFactors,
                                row -> !unsafe.contains(kind(run, row.trial()))))))
        .toList();
  }

  /** The factors of which two levels differ in the kinds of transactions that occur with them. */
  private static Set<String> kindFactors(RunRecord run) {
    return run.plan().experiment().levels().keySet().stream()
        .filter(
            factor ->
                run.counting().stream()
                        .collect(
                            Collectors.groupingBy(
                                trial -> trial.levels().getOrDefault(factor, ""),
                                Collectors.mapping(trial -> kind(run, trial), Collectors.toSet())))
                        .values()
                        .stream()
                        .distinct()
                        .count()
                    > 1)
        .collect(Collectors.toSet());
  }

  /** The path with the values of the settings that it alone has. */
  private static List<String> kind(RunRecord run, TrialRecord trial) {
    return Stream.concat(
            Stream.of(trial.settings().get(CoreSettings.PATH)),
            run.plan().path(trial.settings()).map(PathDescription::settings).stream()
                .flatMap(List::stream)
                .map(own -> String.valueOf(trial.settings().values().get(own.name()))))
        .toList();
  }

  private static Map<String, String> others(TrialRecord trial, Set<String> kindFactors) {
    Map<String, String> levels = new LinkedHashMap<>(trial.levels());
    levels.keySet().removeAll(kindFactors);
    return levels;
  }

  /** {@code accounts 10}. */
  private static String words(Map<String, String> part) {
    return part.entrySet().stream()
        .map(level -> level.getKey() + " " + level.getValue())
        .collect(Collectors.joining(", "));
  }

  private static StudyResult analyze(
      RunRecord part, Set<String> kindFactors, Predicate<TreatmentRow> safe) {
    Tabulation all = new Tabulation(part, rows(part, kindFactors), "transactions.no-trial");
    all.warn("transactions.lost-updates", row -> row.max(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0);
    Predicate<TreatmentRow> recommendable = row -> safe.test(row) && atomic(part, row);
    List<TreatmentRow> left =
        all.rows().stream()
            .filter(row -> recommendable.test(row) && row.throughput().isPresent())
            .toList();
    if (left.isEmpty()) {
      all.add(Finding.warning("transactions.none-right"));
    } else if (left.size() == 1) {
      all.add(
          Finding.info("transactions.only-one")
              .with("treatment", Value.name(left.get(0).label()))
              .with("rate", transfers(left.get(0), "transfers/s").orElseThrow()));
    }
    all.compare(
        "Throughput of transactions with all balances right",
        new NamedMetric(Metric.THROUGHPUT, "transfers/s", Direction.HIGHER),
        trial -> trial.throughput().map(records -> records / RECORDS_OF_A_TRANSFER),
        recommendable);
    all.show("One row per kind of transaction", table(part, all));
    return all.result(
        "transactions",
        "Speed, wrong balances and rollbacks",
        "After a trial each balance is compared with the sum of the acknowledged transfers; with a wrong one the trial has no throughput. Kinds that are not atomic are not compared. Rollbacks are per 1,000 acknowledged transfers.");
  }

  private static Optional<Estimate> transfers(TreatmentRow row, String unit) {
    return row.throughput().map(rate -> rate.times(1 / RECORDS_OF_A_TRANSFER, unit));
  }

  /** The fastest first, labelled by the factors that set the kind; by all where none does. */
  private static List<TreatmentRow> rows(RunRecord part, Set<String> kindFactors) {
    return TreatmentRow.ranked(part).stream()
        .sorted(
            Comparator.comparingDouble(row -> -row.throughput().map(Estimate::value).orElse(0.0)))
        .map(
            row -> {
              Map<String, String> own = new LinkedHashMap<>(row.trial().levels());
              own.keySet().retainAll(kindFactors);
              String path = row.trial().settings().get(CoreSettings.PATH);
              return new TreatmentRow(
                  Labels.of(own.isEmpty() ? row.trial().levels() : own, path),
                  row.trials(),
                  row.ranked());
            })
        .toList();
  }

  private static boolean atomic(RunRecord part, TreatmentRow row) {
    return part.plan()
        .path(row.trial().settings())
        .flatMap(PathDescription::guarantee)
        .map(Guarantee::atomic)
        .orElse(false);
  }

  private static MetricTable<TreatmentRow> table(RunRecord part, Tabulation all) {
    MetricTable<TreatmentRow> table =
        all.table(
                "a trial with wrong balances has no throughput; or too few calls for a p99 (ten must lie beyond it); or the path counts no rollbacks")
            .text("atomic", row -> atomic(part, row) ? "yes" : "no")
            .estimate("transfers/s", row -> transfers(row, ""))
            .estimate("p99 [ms]", row -> row.millis(LatencyStatistic.P99))
            .formatted(
                "wrong balances",
                row -> row.max(Metric.WRONG_ACCOUNTS).map(Numbers::whole).orElse(Table.ABSENT))
            .count(
                "trials with wrong balances",
                row -> row.values(Metric.WRONG_ACCOUNTS).stream().filter(n -> n > 0).count())
            .formatted("created or lost", row -> range(row.values(Metric.CREATED_MONEY)));
    part.counting().stream()
        .flatMap(trial -> trial.metrics().keySet().stream())
        .filter(name -> name.startsWith(ROLLBACKS))
        .distinct()
        .sorted()
        .forEach(
            name ->
                table.number(
                    "rollbacks: " + name.substring(ROLLBACKS.length()), row -> row.average(name)));
    return table;
  }

  private static String range(List<Double> values) {
    List<String> ends =
        Stream.concat(
                values.stream().min(Double::compare).stream(),
                values.stream().max(Double::compare).stream())
            .map(Numbers::whole)
            .distinct()
            .toList();
    return ends.isEmpty() ? Table.ABSENT : String.join(" to ", ends);
  }
}
