package io.pyrometer.results.analyses;

import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
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

    /** Returns whether some trial has calls enough for a p99, or failed. */
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
    Optional<Double> worst(LatencyStatistic statistic) {
      return trials.stream()
          .flatMap(trial -> RateSearch.worst(trial, statistic).stream())
          .max(Double::compare)
          .map(micros -> micros / 1e3);
    }
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    Map<Map<String, String>, List<TrialRecord>> parts =
        run.counting().stream()
            .filter(trial -> trial.settings().get(CoreSettings.RATE) > 0)
            .collect(ListsByKey.by(RunHighestRate::part));
    return parts.entrySet().stream()
        .map(
            each ->
                new RunAnalysis(
                    id(),
                    Phrases.differing(each.getKey(), List.copyOf(parts.keySet())),
                    "latency against load",
                    "calls/s",
                    true,
                    analyze(run, each.getKey(), each.getValue())))
        .toList();
  }

  /** The levels without that of the rate. */
  private static Map<String, String> part(TrialRecord trial) {
    Map<String, String> part = new LinkedHashMap<>(trial.levels());
    part.remove(CoreSettings.RATE.name());
    return part;
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
    Value limit = Value.seconds(trials.get(0).settings().get(CoreSettings.P99_LIMIT));
    boolean searched = run.plan().searching();
    MetricTable<Step> table =
        new MetricTable<Step>("too few calls for this percentile: ten must lie beyond it")
            .formatted("offered/s", step -> Numbers.whole(step.rate()))
            .formatted("reached/s", step -> Numbers.whole(step.reached()))
            .number("p50", step -> step.worst(LatencyStatistic.P50))
            .number("p99", step -> step.worst(LatencyStatistic.P99))
            .count("blocks", step -> step.trials().size())
            .formatted("kept", Step::verdict);
    List<Finding> ofSearch = searched ? searchFindings(found(run, part), steps, limit) : List.of();
    return StudyResult.of(
        ofSearch.isEmpty() ? ladderFindings(steps, limit) : ofSearch,
        Section.of(
            "load",
            "Latency against load",
            "Open loop: latency counts from the intended start. Kept is a rate that was reached in every block with a p99 within the limit"
                + (searched
                    ? " and without a failed request. Each block bisects the rates; a rate fails only if the next higher one fails too."
                    : "."),
            table.figure("Milliseconds; the worst of the operations and blocks", steps)));
  }

  private static List<Finding> ladderFindings(List<Step> steps, Value limit) {
    List<Step> judged = steps.stream().filter(Step::judged).toList();
    if (judged.isEmpty()) {
      return List.of(Finding.notice("highest-rate.too-few-calls"));
    }
    Optional<Step> kept =
        judged.stream().filter(Step::kept).max(Comparator.comparingDouble(Step::rate));
    double last = kept.map(Step::rate).orElse(0.0);
    Optional<Value> next =
        judged.stream().map(Step::rate).filter(rate -> rate > last).findFirst().map(Value::rate);
    List<Finding> findings = new ArrayList<>();
    findings.add(
        kept.map(
                step ->
                    Finding.info(next.isPresent() ? "highest-rate.kept" : "highest-rate.beyond")
                        .with("rate", Value.rate(step.rate()))
                        .with("next", next))
            .orElse(Finding.info("highest-rate.none"))
            .with("limit", limit));
    List<String> missed =
        judged.stream()
            .filter(s -> s.rate() < last && !s.kept())
            .map(step -> Numbers.shorten(step.rate()))
            .toList();
    if (!missed.isEmpty()) {
      findings.add(Finding.notice("highest-rate.missed").with("rates", Value.names(missed)));
    }
    return findings;
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
  private static List<Finding> searchFindings(
      List<Optional<Double>> searches, List<Step> steps, Value limit) {
    double[] found =
        searches.stream().flatMap(Optional::stream).mapToDouble(Double::doubleValue).toArray();
    Step highest = steps.get(steps.size() - 1);
    if (found.length == 0 || steps.stream().noneMatch(Step::judged)) {
      return List.of();
    }
    boolean open = Arrays.stream(found).max().orElse(0) >= highest.rate() && highest.kept();
    List<Finding> findings = new ArrayList<>();
    findings.add(
        Finding.info(open ? "highest-rate.found-beyond" : "highest-rate.found")
            .with("limit", limit)
            .with("searches", Value.count(found.length))
            .with("rate", Means.geometric(found, "calls/s")));
    if (searches.size() > found.length) {
      findings.add(
          Finding.notice("highest-rate.unfinished")
              .with("searches", Value.count(searches.size() - found.length)));
    }
    return findings;
  }
}
