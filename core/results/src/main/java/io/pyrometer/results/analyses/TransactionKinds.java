package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.ranking.Recommendation;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The kinds of transactions of one part of a run: its table and its findings. */
final class TransactionKinds {
  private static final String ROLLBACKS = Metric.EVENTS + "rollbacks-";
  private static final double RECORDS_OF_A_TRANSFER = 2;

  private final RunRecord part;
  private final Set<String> kindFactors;
  private final Predicate<TrialRecord> unsafe;
  private final List<TreatmentRow> rows;

  /**
   * @param kindFactors the factors that set the kind of transaction
   * @param unsafe whether the kind of a trial left a wrong balance anywhere in the run
   */
  TransactionKinds(RunRecord part, Set<String> kindFactors, Predicate<TrialRecord> unsafe) {
    this.part = part;
    this.kindFactors = kindFactors;
    this.unsafe = unsafe;
    rows =
        TreatmentRow.of(part.counting(), Rankings::label, Rankings.of(part)).stream()
            .sorted(
                Comparator.comparingDouble(
                    row -> -row.throughput().map(Estimate::value).orElse(0.0)))
            .toList();
  }

  StudyResult analyze() {
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No trial transferred anything; use a path of the job 'transfer'.");
    }
    List<Finding> findings = new ArrayList<>();
    wrong().ifPresent(findings::add);
    findings.add(fastest());
    withoutTransaction().ifPresent(findings::add);
    rolledBack().ifPresent(findings::add);
    return StudyResult.of(
        findings,
        new Section(
            "transactions",
            "Speed, wrong balances and rollbacks",
            "Every transfer takes an amount from one balance and adds it to another. After a trial"
                + " each balance is compared with the sum of the acknowledged transfers; one that"
                + " differs is wrong, and the trial has no throughput. Figures are those of all"
                + " blocks; rollbacks are per 1,000 acknowledged transfers.",
            List.of(table().figure("One row per kind of transaction", rows))));
  }

  private MetricTable<TreatmentRow> table() {
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>(
                "a trial with wrong balances has no throughput; or too few calls for a p99 (ten"
                    + " must lie beyond it); or the path counts no rollbacks")
            .formatted("transaction", this::label)
            .estimate("transfers/s", row -> row.throughput().map(TransactionKinds::transfers))
            .estimate("p99 [ms]", row -> row.millis(LatencyStatistic.P99))
            .formatted(
                "wrong balances",
                row ->
                    row.max(Metric.WRONG_ACCOUNTS)
                        .map(most -> "%s of %s".formatted(Numbers.whole(most), accounts(row)))
                        .orElse(Table.ABSENT))
            .formatted(
                "trials with wrong balances",
                row -> {
                  List<Double> wrong = row.values(Metric.WRONG_ACCOUNTS);
                  return "%d of %d"
                      .formatted(wrong.stream().filter(n -> n > 0).count(), wrong.size());
                })
            .formatted("created or lost", row -> range(row.values(Metric.CREATED_MONEY)));
    TreeSet<String> causes = new TreeSet<>();
    part.counting().stream()
        .flatMap(trial -> trial.metrics().keySet().stream())
        .filter(name -> name.startsWith(ROLLBACKS))
        .forEach(name -> causes.add(name.substring(ROLLBACKS.length())));
    causes.forEach(
        cause -> table.number("rollbacks: " + cause, row -> row.average(ROLLBACKS + cause)));
    return table;
  }

  private static Estimate transfers(Estimate records) {
    return records.times(1 / RECORDS_OF_A_TRANSFER, "transfers/s");
  }

  private static String range(List<Double> values) {
    if (values.isEmpty()) {
      return Table.ABSENT;
    }
    double low = values.stream().min(Double::compare).orElseThrow();
    double high = values.stream().max(Double::compare).orElseThrow();
    return low == high ? Numbers.whole(low) : Numbers.whole(low) + " to " + Numbers.whole(high);
  }

  private static String accounts(TreatmentRow row) {
    return Numbers.whole(row.trial().settings().get(CoreSettings.RECORDS));
  }

  /** By the factors that set the kind; by all where none does. */
  private String label(TreatmentRow row) {
    Map<String, String> own = new LinkedHashMap<>(row.trial().levels());
    own.keySet().retainAll(kindFactors);
    return Labels.of(
        own.isEmpty() ? row.trial().levels() : own, row.trial().settings().get(CoreSettings.PATH));
  }

  private String label(String ranked) {
    return rows.stream()
        .filter(row -> row.label().equals(ranked))
        .findFirst()
        .map(this::label)
        .orElse(ranked);
  }

  private Optional<Finding> wrong() {
    List<String> named =
        rows.stream()
            .filter(row -> row.max(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0)
            .map(
                row ->
                    "%s (up to %s of %s balances)"
                        .formatted(
                            label(row),
                            Numbers.whole(row.max(Metric.WRONG_ACCOUNTS).orElse(0.0)),
                            accounts(row)))
            .toList();
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                Finding.Kind.COMPARISON,
                "Acknowledged updates were lost with %s: do not use them for read-modify-write."
                    .formatted(Phrases.and(named)),
                "Nothing; one wrong balance is conclusive."));
  }

  /** Among the atomic kinds that left all balances right. */
  private Finding fastest() {
    RunRecord safe = part.of(trial -> atomic(trial) && !unsafe.test(trial));
    List<Ranking> rankings = Rankings.of(safe);
    if (rankings.isEmpty() || rankings.get(0).rows().isEmpty()) {
      return Finding.warning(
          Finding.Kind.NOT_ENOUGH_RUNS,
          "No transaction left every balance right in all of this run's trials.",
          "A run with valid trials; the reasons are listed with each trial.");
    }
    Ranking ranking = rankings.get(0);
    Ranking.Row best = ranking.rows().get(0);
    Estimate transfers = transfers(best.throughput());
    List<String> similar =
        Recommendation.of(safe, ranking).similar().stream().map(this::label).toList();
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        "The fastest transaction without a wrong balance anywhere in this run is %s: %s transfers/s%s."
            .formatted(
                label(best.label()),
                Numbers.estimate(transfers),
                similar.isEmpty()
                    ? ""
                    : ", not significantly different from " + Phrases.andOthers(similar)),
        Map.of(best.label(), transfers),
        "A wrong balance in a longer trial, as finding none is no proof; more blocks, other records"
            + " or other machines.");
  }

  private boolean atomic(TrialRecord trial) {
    String name = trial.settings().get(CoreSettings.PATH);
    return part.plan().drivers().values().stream()
        .flatMap(driver -> driver.paths().stream())
        .filter(path -> path.name().equals(name))
        .findFirst()
        .flatMap(PathDescription::guarantee)
        .map(Guarantee::atomic)
        .orElse(false);
  }

  private Optional<Finding> withoutTransaction() {
    RunRecord loose = part.of(trial -> !atomic(trial) && !unsafe.test(trial));
    return Rankings.of(loose).stream()
        .flatMap(ranking -> ranking.rows().stream())
        .findFirst()
        .map(
            row ->
                new Finding(
                    Finding.Kind.COMPARISON,
                    Finding.Severity.NOTICE,
                    "Without a transaction, %s left every balance right at %s transfers/s, but others can see one balance changed without the other, and a failure can leave it so."
                        .formatted(
                            label(row.label()), Numbers.estimate(transfers(row.throughput()))),
                    Map.of(row.label(), transfers(row.throughput())),
                    "A use in which both balances must change together."));
  }

  private Optional<Finding> rolledBack() {
    List<String> sentences = new ArrayList<>();
    rates("deadlock", "timeout")
        .ifPresent(
            rates ->
                sentences.add(
                    "Rolled back by a deadlock or its timeout, per 1,000 transfers: %s; transactions that all use their keys in one order cannot deadlock."
                        .formatted(rates)));
    rates("conflict")
        .ifPresent(
            rates ->
                sentences.add(
                    "Rolled back by a conflict and retried, per 1,000 transfers: %s."
                        .formatted(rates)));
    return sentences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Finding.Kind.COMPARISON,
                String.join(" ", sentences),
                "More accounts, or fewer threads: less contention."));
  }

  /** The kinds that were rolled back for one of the causes, each with its rate. */
  private Optional<String> rates(String... causes) {
    List<String> named = new ArrayList<>();
    for (TreatmentRow row : rows) {
      double rate = 0;
      for (String cause : causes) {
        rate += row.average(ROLLBACKS + cause).orElse(0.0);
      }
      if (rate > 0) {
        named.add("%s (%s)".formatted(label(row), Numbers.shorten(rate)));
      }
    }
    return named.isEmpty() ? Optional.empty() : Optional.of(Phrases.and(named));
  }
}
