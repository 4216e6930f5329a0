package io.pyrometer.results.analyses;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The anomalies and the cost of kinds of transactions, at each level of the other factors (such as
 * the number of accounts) by itself: wrong balances, rollbacks, and the fastest kind that left
 * every balance right.
 */
public final class TransactionsAnalysis implements Analysis {
  /** The settings that make a kind of transaction. */
  private static final List<String> KIND =
      List.of("path", "concurrency", "isolation", "key-order", "transaction-timeout", "attempts");

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
    RunRecord transfers = run.of(trial -> trial.job() == Job.TRANSFER);
    Set<String> kindFactors = kindFactors(transfers);
    // Less contention hides a lost update: a kind that lost one anywhere in the run is unsafe.
    Set<List<String>> unsafe =
        transfers.counting().stream()
            .filter(trial -> trial.value(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0)
            .map(TransactionsAnalysis::kind)
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
              id(),
              parts.size() == 1 ? "" : inWords(part),
              "transactions",
              "transfers/s",
              true,
              RunAnalyses.analyze(
                  () ->
                      new TransactionKinds(own, kindFactors, t -> unsafe.contains(kind(t)))
                          .analyze())));
    }
    return analyses;
  }

  /** {@code accounts 10}. */
  private static String inWords(Map<String, String> part) {
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
}
