package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The highest offered rate that keeps the stated p99, up a ladder of rates: kept is a rate that in
 * every block was really reached and kept it without a lost request. A lower one that did not is
 * told beside it: what more load puts right is no limit of load.
 */
final class RunHighestRate {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "highest-rate";
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return PlannedTreatment.require(
          treatments,
          each -> each.settings().get(CoreSettings.RATE) > 0,
          "'highest-rate' needs rates to be offered, and no treatment has one; give a factor such as"
              + " rate: [1000, 2000, 4000] or remove it.");
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunHighestRate.of(run);
    }
  }

  private static final String RATE = CoreSettings.RATE.name();
  private static final double CONFIDENCE = 0.95;
  private final double limitMicros;
  private final TreeMap<Double, List<TrialRecord>> byRate = new TreeMap<>();

  private final List<Double> found;
  private final long withoutRate;
  private final boolean searched;

  /**
   * @param found the rate that each block's search found, if any; empty where there was no search
   */
  private RunHighestRate(List<TrialRecord> trials, Optional<List<Optional<Double>>> found) {
    this.found = found.orElse(List.of()).stream().flatMap(Optional::stream).toList();
    this.withoutRate = found.orElse(List.of()).stream().filter(Optional::isEmpty).count();
    this.searched = found.isPresent();
    limitMicros = trials.get(0).settings().get(CoreSettings.P99_LIMIT) * 1e6;
    for (TrialRecord trial : trials) {
      byRate
          .computeIfAbsent(trial.settings().get(CoreSettings.RATE), r -> new ArrayList<>())
          .add(trial);
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    Map<Map<String, String>, List<TrialRecord>> parts = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      if (trial.settings().get(CoreSettings.RATE) > 0) {
        Map<String, String> part = new LinkedHashMap<>(trial.levels());
        part.remove(RATE);
        parts.computeIfAbsent(part, p -> new ArrayList<>()).add(trial);
      }
    }
    List<RunAnalysis> analyses = new ArrayList<>();
    parts.forEach(
        (part, trials) ->
            analyses.add(
                new RunAnalysis(
                    "highest-rate",
                    Phrases.differing(part, List.copyOf(parts.keySet())),
                    "latency against load",
                    "calls/s",
                    true,
                    RunAnalyses.analyze(
                        () -> new RunHighestRate(trials, found(run, part)).analyze()))));
    return analyses;
  }

  private static Optional<List<Optional<Double>>> found(RunRecord run, Map<String, String> part) {
    if (!run.plan().searching()) {
      return Optional.empty();
    }
    return Optional.of(
        run.plan().groups().stream()
            .flatMap(group -> RateLadder.of(group).stream())
            .filter(ladder -> ladder.levels().equals(part))
            .map(ladder -> RateSearch.highest(ladder, run.finished()))
            .toList());
  }

  private StudyResult analyze() {
    if (byRate.isEmpty()) {
      throw new BadDataException(
          "No trial has an offered rate, so there is no highest rate to find.");
    }
    Section section =
        new Section(
            "load",
            "Latency against load",
            "Open loop: calls are begun when they are due, however late earlier ones are, and"
                + " latency counts from then. Kept is a rate that was reached in every block with a"
                + " p99 within the limit"
                + (searched
                    ? " and without a request that timed out, lost a race or failed. Each block"
                        + " bisects the rates by itself; a rate fails only if the next higher one"
                        + " fails too, so that one disturbed trial does not end the search."
                    : "."),
            List.of(
                table()
                    .figure(
                        "Milliseconds; the worst of the operations and blocks",
                        List.copyOf(byRate.entrySet()))));
    return new StudyResult("", List.of(finding()), List.of(section), List.of());
  }

  private static MetricTable<Map.Entry<Double, List<TrialRecord>>> table() {
    return new MetricTable<Map.Entry<Double, List<TrialRecord>>>(
            "too few calls for this percentile: ten must lie beyond it")
        .formatted("offered/s", each -> Numbers.whole(each.getKey()))
        .formatted("reached/s", each -> Numbers.whole(reached(each.getValue())))
        .formatted("p50", each -> millis(each.getValue(), LatencyStatistic.P50))
        .formatted("p99", each -> millis(each.getValue(), LatencyStatistic.P99))
        .count("blocks", each -> each.getValue().size())
        .formatted("kept", each -> verdict(each.getValue()));
  }

  private static double reached(List<TrialRecord> trials) {
    return trials.stream().mapToDouble(RateSearch::reached).min().orElse(0);
  }

  private static String millis(List<TrialRecord> trials, LatencyStatistic statistic) {
    return worst(trials, statistic).map(RunHighestRate::millis).orElse(Table.ABSENT);
  }

  private static String verdict(List<TrialRecord> trials) {
    if (!told(trials)) {
      return "too few calls";
    }
    return kept(trials) ? "yes" : "no";
  }

  private Finding finding() {
    if (byRate.values().stream().noneMatch(RunHighestRate::told)) {
      return Finding.notice(
          Finding.Kind.NOT_ENOUGH_RUNS,
          "Every rate had too few calls for a p99, so no highest rate was found.",
          "Trials that are measured for longer: ten calls must lie beyond the p99.");
    }
    if (searched && !found.isEmpty()) {
      return searchFinding();
    }
    List<Double> told = byRate.keySet().stream().filter(rate -> told(at(rate))).toList();
    Optional<Double> kept = told.stream().filter(rate -> kept(at(rate))).max(Double::compare);
    double last = kept.orElse(0.0);
    String limit = millis(limitMicros) + " ms";
    String sentence =
        kept.map(rate -> "%s calls a second keep a p99 of %s".formatted(words(rate), limit))
                .orElse("No rate of the ladder keeps a p99 of %s".formatted(limit))
            + told.stream()
                .filter(rate -> rate > last)
                .findFirst()
                .map(rate -> "; %s do not.".formatted(words(rate)))
                .orElse("; the ladder holds no higher rate, so the limit lies beyond.")
            + belowThatMissed(told, last);
    return Finding.info(
        Finding.Kind.LATENCY,
        sentence,
        "Rates between these steps, more blocks, or another limit (p99-limit).");
  }

  /** Each block's search is a replicate. */
  private Finding searchFinding() {
    Estimate rate =
        Means.geometric(
            found.stream().mapToDouble(Double::doubleValue).toArray(), "calls/s", CONFIDENCE);
    double last = found.stream().max(Double::compare).orElse(0.0);
    boolean open = last >= byRate.lastKey() && kept(at(byRate.lastKey()));
    return new Finding(
        Finding.Kind.LATENCY,
        Finding.Severity.INFO,
        "The highest rate that keeps a p99 of %s ms is %s calls/s (%s)%s%s."
            .formatted(
                millis(limitMicros),
                Numbers.estimate(rate),
                found.size() == 1
                    ? "one search"
                    : "geometric mean of %d searches".formatted(found.size()),
                open ? "; the highest rate that was tried holds, so the limit lies beyond" : "",
                withoutRate > 0
                    ? "; %d more searches have not ended or found no rate".formatted(withoutRate)
                    : ""),
        Map.of("highest rate", rate),
        "Rates between these steps, more blocks, or another limit (p99-limit).");
  }

  private String belowThatMissed(List<Double> told, double last) {
    List<String> missed =
        told.stream().filter(rate -> rate < last && !kept(at(rate))).map(this::words).toList();
    return missed.isEmpty()
        ? ""
        : " %s did not either, below rates that do: that is not for their load; a disturbance or a cold start may be why."
            .formatted(Phrases.and(missed));
  }

  private List<TrialRecord> at(double rate) {
    return byRate.getOrDefault(rate, List.of());
  }

  private String words(double rate) {
    return "%s (%s)"
        .formatted(
            Figures.plain(rate),
            worst(at(rate), LatencyStatistic.P99)
                .map(micros -> "p99 %s ms".formatted(millis(micros)))
                .orElse("too few calls for a p99"));
  }

  /** Whether some trial has calls enough for a p99, or came to none. */
  private static boolean told(List<TrialRecord> trials) {
    return worst(trials, LatencyStatistic.P99).isPresent()
        || trials.stream().anyMatch(trial -> trial.outcome() != Outcome.OK);
  }

  private static boolean kept(List<TrialRecord> trials) {
    return trials.stream().allMatch(RateSearch::holds);
  }

  private static Optional<Double> worst(List<TrialRecord> trials, LatencyStatistic statistic) {
    return trials.stream()
        .flatMap(trial -> RateSearch.worst(trial, statistic).stream())
        .max(Double::compare);
  }

  private static String millis(double micros) {
    return Figures.plain(micros / 1e3);
  }
}
