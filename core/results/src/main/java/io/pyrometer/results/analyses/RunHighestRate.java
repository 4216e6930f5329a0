package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The highest offered rate that keeps the stated p99, up a ladder of rates: kept is a rate that in
 * every block was really reached and kept it without a lost request. A lower one that did not is
 * named as well: what more load puts right is no limit of load.
 */
public final class RunHighestRate implements Analysis {
  private static final String RATE = CoreSettings.RATE.name();
  private static final String WOULD_CHANGE =
      "Rates between these steps, more blocks, or another limit (p99-limit).";

  @Override
  public String id() {
    return "highest-rate";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> each.settings().get(CoreSettings.RATE) > 0,
        "'highest-rate' needs rates to be offered, and no treatment has one; give a factor such as rate: [1000, 2000, 4000] or remove it.");
  }

  /** The trials of one rate. */
  private record Step(double rate, List<TrialRecord> trials) {
    boolean kept() {
      return trials.stream().allMatch(RateSearch::holds);
    }

    /** Whether some trial has calls enough for a p99, or failed. */
    boolean judged() {
      return worst(LatencyStatistic.P99).isPresent()
          || trials.stream().anyMatch(trial -> trial.outcome() != Outcome.OK);
    }

    String verdict() {
      return !judged() ? "too few calls" : kept() ? "yes" : "no";
    }

    double reached() {
      return trials.stream().mapToDouble(RateSearch::reached).min().orElse(0);
    }

    /** Milliseconds in the worst trial. */
    Optional<String> worst(LatencyStatistic statistic) {
      return trials.stream()
          .flatMap(trial -> RateSearch.worst(trial, statistic).stream())
          .max(Double::compare)
          .map(micros -> Figures.plain(micros / 1e3));
    }

    String words() {
      return "%s (%s)"
          .formatted(
              Figures.plain(rate),
              worst(LatencyStatistic.P99)
                  .map("p99 %s ms"::formatted)
                  .orElse("too few calls for a p99"));
    }
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    Map<Map<String, String>, List<TrialRecord>> parts = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      if (trial.settings().get(CoreSettings.RATE) > 0) {
        Map<String, String> part = new LinkedHashMap<>(trial.levels());
        part.remove(RATE);
        ListsByKey.add(parts, part, trial);
      }
    }
    List<RunAnalysis> analyses = new ArrayList<>();
    parts.forEach(
        (part, trials) ->
            analyses.add(
                new RunAnalysis(
                    id(),
                    Phrases.differing(part, List.copyOf(parts.keySet())),
                    "latency against load",
                    "calls/s",
                    true,
                    analyze(run, part, trials))));
    return analyses;
  }

  private static StudyResult analyze(
      RunRecord run, Map<String, String> part, List<TrialRecord> trials) {
    List<Step> steps = new ArrayList<>();
    trials.stream()
        .collect(
            Collectors.groupingBy(
                trial -> trial.settings().get(CoreSettings.RATE),
                TreeMap::new,
                Collectors.toList()))
        .forEach((rate, of) -> steps.add(new Step(rate, of)));
    String limit = Figures.plain(trials.get(0).settings().get(CoreSettings.P99_LIMIT) * 1e3);
    boolean searched = run.plan().searching();
    MetricTable<Step> table =
        new MetricTable<Step>("too few calls for this percentile: ten must lie beyond it")
            .formatted("offered/s", step -> Numbers.whole(step.rate()))
            .formatted("reached/s", step -> Numbers.whole(step.reached()))
            .formatted("p50", step -> step.worst(LatencyStatistic.P50).orElse(Table.ABSENT))
            .formatted("p99", step -> step.worst(LatencyStatistic.P99).orElse(Table.ABSENT))
            .count("blocks", step -> step.trials().size())
            .formatted("kept", Step::verdict);
    return StudyResult.of(
        List.of(
            searched
                ? searchFinding(found(run, part), steps, limit)
                    .orElseGet(() -> ladderFinding(steps, limit))
                : ladderFinding(steps, limit)),
        Section.of(
            "load",
            "Latency against load",
            "Open loop: calls are begun when they are due, however late earlier ones are, and latency counts from then. Kept is a rate that was reached in every block with a p99 within the limit"
                + (searched
                    ? " and without a request that timed out, lost a race or failed. Each block bisects the rates by itself; a rate fails only if the next higher one fails too, so that one disturbed trial does not end the search."
                    : "."),
            table.figure("Milliseconds; the worst of the operations and blocks", steps)));
  }

  private static Finding ladderFinding(List<Step> steps, String limit) {
    List<Step> judged = steps.stream().filter(Step::judged).toList();
    if (judged.isEmpty()) {
      return Finding.notice(
          Finding.Kind.NOT_ENOUGH_RUNS,
          "Every rate had too few calls for a p99, so no highest rate was found.",
          "Trials that are measured for longer: ten calls must lie beyond the p99.");
    }
    Optional<Step> kept =
        judged.stream().filter(Step::kept).max(Comparator.comparingDouble(Step::rate));
    double last = kept.map(Step::rate).orElse(0.0);
    List<String> missed =
        judged.stream().filter(s -> s.rate() < last && !s.kept()).map(Step::words).toList();
    return Finding.info(
        Finding.Kind.LATENCY,
        kept.map(step -> "%s calls a second keep a p99 of %s ms".formatted(step.words(), limit))
                .orElse("No rate of the ladder keeps a p99 of %s ms".formatted(limit))
            + judged.stream()
                .filter(step -> step.rate() > last)
                .findFirst()
                .map(step -> "; %s do not.".formatted(step.words()))
                .orElse("; no higher rate was offered, so the limit lies beyond.")
            + (missed.isEmpty()
                ? ""
                : " %s did not either, below rates that do: that is not for their load; a disturbance or a cold start may be why."
                    .formatted(Phrases.and(missed))),
        WOULD_CHANGE);
  }

  /** The rate that each block's search of the part found, if any. */
  private static List<Optional<Double>> found(RunRecord run, Map<String, String> part) {
    return run.plan().groups().stream()
        .flatMap(group -> RateLadder.of(group).stream())
        .filter(ladder -> ladder.levels().equals(part))
        .map(ladder -> RateSearch.highest(ladder, run.finished()))
        .toList();
  }

  /** Each block's search is a replicate; empty where none found a rate. */
  private static Optional<Finding> searchFinding(
      List<Optional<Double>> searches, List<Step> steps, String limit) {
    double[] found =
        searches.stream().flatMap(Optional::stream).mapToDouble(Double::doubleValue).toArray();
    Step highest = steps.get(steps.size() - 1);
    if (found.length == 0 || steps.stream().noneMatch(Step::judged)) {
      return Optional.empty();
    }
    Estimate rate = Means.geometric(found, "calls/s");
    boolean open = Arrays.stream(found).max().orElse(0) >= highest.rate() && highest.kept();
    int without = searches.size() - found.length;
    return Optional.of(
        Finding.info(
            Finding.Kind.LATENCY,
            "The highest rate that keeps a p99 of %s ms is %s calls/s (%s)%s%s."
                .formatted(
                    limit,
                    Numbers.estimate(rate),
                    found.length == 1
                        ? "one search"
                        : "geometric mean of %d searches".formatted(found.length),
                    open ? "; the highest rate that was tried holds, so the limit lies beyond" : "",
                    without > 0
                        ? "; %s found no rate or did not end"
                            .formatted(without == 1 ? "1 search" : without + " searches")
                        : ""),
            Map.of("highest rate", rate),
            WOULD_CHANGE));
  }
}
