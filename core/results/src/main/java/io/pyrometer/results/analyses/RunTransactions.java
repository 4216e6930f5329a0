package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingFindings;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What kinds of transactions do to balances and what they cost, at each level of the other factors
 * (such as the number of accounts) by itself: wrong balances, rollbacks, and the fastest kind that
 * left every balance right.
 */
final class RunTransactions {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "transactions";
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return PlannedTreatment.require(
          treatments,
          each -> each.job().equals(Optional.of(Job.TRANSFER)),
          "'transactions' needs a path that transfers amounts, and no treatment has one; take a path"
              + " of the job 'transfer' or remove it.");
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunTransactions.of(run);
    }
  }

  /** The settings that make a kind of transaction. */
  private static final List<String> KIND =
      List.of("path", "concurrency", "isolation", "key-order", "transaction-timeout", "attempts");

  private static final String ROLLBACKS = Metric.EVENTS + "rollbacks-";
  private static final double RECORDS_OF_A_TRANSFER = 2;

  private final RunRecord part;
  private final Set<String> kindFactors;
  private final Set<List<String>> harmful;
  private final Map<Map<String, String>, List<TrialRecord>> treatments = new LinkedHashMap<>();
  private final TreeSet<String> causes = new TreeSet<>();

  /**
   * @param kindFactors the factors that set the kind of transaction
   * @param harmful the kinds that left a wrong balance anywhere in the run
   */
  private RunTransactions(RunRecord part, Set<String> kindFactors, Set<List<String>> harmful) {
    this.part = part;
    this.kindFactors = kindFactors;
    this.harmful = harmful;
    for (TrialRecord trial : part.counting()) {
      treatments.computeIfAbsent(trial.levels(), levels -> new ArrayList<>()).add(trial);
      trial.metrics().keySet().stream()
          .filter(name -> name.startsWith(ROLLBACKS))
          .map(name -> name.substring(ROLLBACKS.length()))
          .forEach(causes::add);
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    RunRecord transfers = run.of(trial -> trial.job() == Job.TRANSFER);
    Set<String> kindFactors = kindFactors(transfers);
    Set<List<String>> harmful =
        transfers.counting().stream()
            .filter(trial -> trial.value(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0)
            .map(RunTransactions::kind)
            .collect(Collectors.toSet());
    Set<Map<String, String>> parts = new LinkedHashSet<>();
    transfers.counting().forEach(trial -> parts.add(without(kindFactors, trial.levels())));
    if (parts.isEmpty()) {
      parts.add(Map.of());
    }
    List<RunAnalysis> analyses = new ArrayList<>();
    for (Map<String, String> part : parts) {
      RunRecord own = transfers.of(trial -> without(kindFactors, trial.levels()).equals(part));
      analyses.add(
          new RunAnalysis(
              "transactions",
              parts.size() == 1 ? "" : words(part),
              "transactions",
              "transfers/s",
              true,
              RunAnalyses.analyze(() -> new RunTransactions(own, kindFactors, harmful).analyze())));
    }
    return analyses;
  }

  /** {@code accounts 10}. */
  private static String words(Map<String, String> part) {
    return part.entrySet().stream()
        .map(level -> level.getKey() + " " + level.getValue())
        .collect(Collectors.joining(", "));
  }

  /** The factors of which two levels differ in the kinds of transactions that occur with them. */
  private static Set<String> kindFactors(RunRecord run) {
    Set<String> factors = new HashSet<>();
    for (String factor : run.plan().experiment().factors().keySet()) {
      Map<String, Set<List<String>>> kinds = new LinkedHashMap<>();
      for (TrialRecord trial : run.counting()) {
        kinds
            .computeIfAbsent(
                trial.levels().getOrDefault(factor, ""), level -> new LinkedHashSet<>())
            .add(kind(trial));
      }
      if (new HashSet<>(kinds.values()).size() > 1) {
        factors.add(factor);
      }
    }
    return factors;
  }

  private static List<String> kind(TrialRecord trial) {
    return KIND.stream()
        .map(name -> trial.settings().has(name) ? trial.settings().text(name) : "")
        .toList();
  }

  private static Map<String, String> without(Set<String> factors, Map<String, String> levels) {
    Map<String, String> left = new LinkedHashMap<>(levels);
    left.keySet().removeAll(factors);
    return left;
  }

  private StudyResult analyze() {
    if (treatments.isEmpty()) {
      throw new BadDataException(
          "No trial transferred anything, so there are no transactions to judge: take a path of the job 'transfer'.");
    }
    List<Finding> findings = new ArrayList<>();
    wrong().ifPresent(findings::add);
    findings.add(fastest());
    withoutTransaction().ifPresent(findings::add);
    rolledBack().ifPresent(findings::add);
    Section section =
        new Section(
            "transactions",
            "Speed, wrong balances and rollbacks",
            "Every transfer takes an amount from one balance and adds it to another. After a trial"
                + " each balance is compared with what the acknowledged transfers give; one that"
                + " differs is wrong, and the trial has no throughput. Figures are those of all"
                + " blocks; rollbacks are for 1,000 acknowledged transfers.",
            List.of(Exhibit.of("One row a kind of transaction", table())));
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private String label(Map<String, String> levels) {
    Map<String, String> own = new LinkedHashMap<>(levels);
    own.keySet().retainAll(kindFactors);
    String path =
        treatments.getOrDefault(levels, List.of()).stream()
            .findFirst()
            .map(trial -> trial.settings().text("path"))
            .orElse("");
    return Labels.of(own.isEmpty() ? levels : own, path);
  }

  private Table table() {
    List<String> columns = new ArrayList<>(List.of("transaction", "transfers/s", "p99 [ms]"));
    columns.addAll(List.of("wrong balances", "trials with wrong balances", "created or lost"));
    causes.forEach(cause -> columns.add("rollbacks: " + cause));
    Map<String, Ranking.Row> rows = new LinkedHashMap<>();
    for (Ranking ranking : Rankings.of(part)) {
      ranking.rows().forEach(row -> rows.put(row.label(), row));
    }
    List<List<String>> cells =
        treatments.entrySet().stream()
            .sorted(Comparator.comparingDouble(each -> -speed(rows.get(ranked(each.getValue())))))
            .map(
                each ->
                    row(
                        each.getKey(),
                        each.getValue(),
                        Optional.ofNullable(rows.get(ranked(each.getValue())))))
            .toList();
    return Table.of(columns, 0, cells)
        .withAbsent(
            "a trial with wrong balances has no throughput; or too few calls for a p99 (ten must lie beyond it); or the path counts no rollbacks");
  }

  private static String ranked(List<TrialRecord> trials) {
    return Rankings.label(trials.get(0));
  }

  private static double speed(Ranking.@Nullable Row row) {
    return row == null ? 0 : row.throughput().value();
  }

  private List<String> row(
      Map<String, String> levels, List<TrialRecord> trials, Optional<Ranking.Row> ranked) {
    List<String> row = new ArrayList<>(List.of(label(levels)));
    row.add(
        ranked
            .map(r -> Numbers.estimate(r.throughput().times(1 / RECORDS_OF_A_TRANSFER, "")))
            .orElse(Table.ABSENT));
    row.add(
        ranked.stream()
            .flatMap(r -> r.latencies().stream())
            .flatMap(latency -> latency.of(LatencyStatistic.P99).stream())
            .findFirst()
            .map(micros -> Numbers.estimate(micros.times(1e-3, "ms")))
            .orElse(Table.ABSENT));
    List<Double> wrong = values(trials, Metric.WRONG_ACCOUNTS);
    row.add(
        wrong.isEmpty()
            ? Table.ABSENT
            : "%s of %s".formatted(Numbers.whole(most(wrong)), accounts(trials)));
    row.add("%d of %d".formatted(wrong.stream().filter(n -> n > 0).count(), wrong.size()));
    List<Double> created = values(trials, Metric.CREATED_MONEY);
    row.add(created.isEmpty() ? Table.ABSENT : range(created));
    for (String cause : causes) {
      List<Double> counts = values(trials, ROLLBACKS + cause);
      row.add(counts.isEmpty() ? Table.ABSENT : Numbers.shorten(mean(counts)));
    }
    return row;
  }

  private static String range(List<Double> values) {
    double low = values.stream().min(Double::compare).orElse(0.0);
    double high = most(values);
    return low == high ? Numbers.whole(low) : Numbers.whole(low) + " to " + Numbers.whole(high);
  }

  private static String accounts(List<TrialRecord> trials) {
    return Numbers.whole(trials.get(0).settings().decimal("records"));
  }

  private Optional<Finding> wrong() {
    List<String> named = new ArrayList<>();
    treatments.forEach(
        (levels, trials) -> {
          double most = most(values(trials, Metric.WRONG_ACCOUNTS));
          if (most > 0) {
            named.add(
                "%s (up to %s of %s balances)"
                    .formatted(label(levels), Numbers.whole(most), accounts(trials)));
          }
        });
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                Finding.Kind.COMPARISON,
                Finding.Severity.WARNING,
                "Acknowledged updates were lost with %s: do not write with them what depends on what was read."
                    .formatted(Phrases.and(named)),
                Map.of(),
                "Nothing: one wrong balance is proof."));
  }

  /** Among the kinds that promise to be seen whole or not at all, and left all balances right. */
  private Finding fastest() {
    RunRecord atomic = part.of(trial -> atomic(trial) && !harmed(trial));
    List<Ranking> rankings = Rankings.of(atomic);
    if (rankings.isEmpty() || rankings.get(0).rows().isEmpty()) {
      return new Finding(
          Finding.Kind.NOT_ENOUGH_RUNS,
          Finding.Severity.WARNING,
          "No transaction left every balance right in all of this run's trials.",
          Map.of(),
          "A run with valid trials; the reasons are listed with each trial.");
    }
    Ranking ranking = rankings.get(0);
    Ranking.Row best = ranking.rows().get(0);
    Estimate transfers = best.throughput().times(1 / RECORDS_OF_A_TRANSFER, "transfers/s");
    List<String> similar =
        RankingFindings.similar(atomic, ranking, best).stream().map(this::shortLabel).toList();
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        "The fastest transaction without a wrong balance anywhere in this run is %s: %s transfers/s%s."
            .formatted(
                shortLabel(best.label()),
                Numbers.estimate(transfers),
                similar.isEmpty()
                    ? ""
                    : ", not significantly different from " + Phrases.andOthers(similar)),
        Map.of(best.label(), transfers),
        "A wrong balance in a longer trial, as finding none is no proof; more blocks, other records"
            + " or other machines.");
  }

  private String shortLabel(String ranked) {
    return treatments.entrySet().stream()
        .filter(each -> Rankings.label(each.getValue().get(0)).equals(ranked))
        .findFirst()
        .map(each -> label(each.getKey()))
        .orElse(ranked);
  }

  /** Fewer collisions hide a lost update: what lost one anywhere in the run is right nowhere. */
  private boolean harmed(TrialRecord trial) {
    return harmful.contains(kind(trial));
  }

  private boolean atomic(TrialRecord trial) {
    return path(trial).flatMap(PathDescription::guarantee).map(Guarantee::atomic).orElse(false);
  }

  private Optional<PathDescription> path(TrialRecord trial) {
    String name = trial.settings().text("path");
    return part.plan().drivers().values().stream()
        .flatMap(driver -> driver.paths().stream())
        .filter(path -> path.name().equals(name))
        .findFirst();
  }

  private Optional<Finding> withoutTransaction() {
    RunRecord loose = part.of(trial -> !atomic(trial) && !harmed(trial));
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
                            shortLabel(row.label()),
                            Numbers.estimate(
                                row.throughput().times(1 / RECORDS_OF_A_TRANSFER, ""))),
                    Map.of(
                        row.label(),
                        row.throughput().times(1 / RECORDS_OF_A_TRANSFER, "transfers/s")),
                    "A use in which both balances must change together."));
  }

  private Optional<Finding> rolledBack() {
    List<String> waiting = new ArrayList<>();
    List<String> conflicting = new ArrayList<>();
    treatments.forEach(
        (levels, trials) -> {
          double conflicts = mean(values(trials, ROLLBACKS + "conflict"));
          double waits =
              mean(values(trials, ROLLBACKS + "deadlock"))
                  + mean(values(trials, ROLLBACKS + "timeout"));
          if (waits > 0) {
            waiting.add("%s (%s)".formatted(label(levels), Numbers.shorten(waits)));
          }
          if (conflicts > 0) {
            conflicting.add("%s (%s)".formatted(label(levels), Numbers.shorten(conflicts)));
          }
        });
    if (waiting.isEmpty() && conflicting.isEmpty()) {
      return Optional.empty();
    }
    List<String> sentences = new ArrayList<>();
    if (!waiting.isEmpty()) {
      sentences.add(
          "Rolled back by a deadlock or its timeout, for 1,000 transfers: %s; transactions that all use their keys in one order cannot deadlock."
              .formatted(Phrases.and(waiting)));
    }
    if (!conflicting.isEmpty()) {
      sentences.add(
          "Rolled back by a conflict and tried again, for 1,000 transfers: %s."
              .formatted(Phrases.and(conflicting)));
    }
    return Optional.of(
        new Finding(
            Finding.Kind.COMPARISON,
            Finding.Severity.NOTICE,
            String.join(" ", sentences),
            Map.of(),
            "More accounts, or fewer threads: less contention."));
  }

  private static List<Double> values(List<TrialRecord> trials, String metric) {
    return trials.stream().flatMap(trial -> trial.value(metric).stream()).toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  private static double most(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
