package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.ranking.Ranking;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Judges a run's thresholds, of latencies by the percentiles that its tables show: of all calls
 * together. Other metrics, and those of treatments without a rank, by the geometric mean of blocks.
 */
final class ThresholdFindings {
  private static final String EVERY = "keeps every threshold";

  private final TreatmentTrials trials;
  private final List<Ranking> rankings;

  private ThresholdFindings(RunRecord run, List<Ranking> rankings) {
    this.trials = new TreatmentTrials(run);
    this.rankings = rankings;
  }

  /** One for each threshold, a warning where it is missed or nothing measured has its metric. */
  static List<Finding> of(RunRecord run, List<Ranking> rankings) {
    ThresholdFindings findings = new ThresholdFindings(run, rankings);
    return run.plan().experiment().thresholds().stream().map(findings::judged).toList();
  }

  /**
   * Says in one sentence whether the treatments that are recommended keep the thresholds.
   *
   * @param recommended rows of the rankings
   */
  static Optional<Finding> ofRecommended(
      RunRecord run, List<Ranking> rankings, List<Ranking.Row> recommended) {
    ThresholdFindings findings = new ThresholdFindings(run, rankings);
    List<Threshold> thresholds = run.plan().experiment().thresholds();
    List<String> parts =
        recommended.stream().flatMap(row -> findings.of(row, thresholds).stream()).toList();
    boolean kept = parts.stream().allMatch(part -> part.endsWith(EVERY));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.of(
                Kind.ESTIMATE,
                kept ? Severity.INFO : Severity.WARNING,
                Phrases.capital(String.join("; ", parts)) + ".",
                Map.of(),
                "More blocks."));
  }

  /** Empty where no threshold is on a metric of the treatment. */
  private Optional<String> of(Ranking.Row row, List<Threshold> thresholds) {
    List<String> missed = new ArrayList<>();
    List<String> open = new ArrayList<>();
    int judged = 0;
    for (Threshold threshold : thresholds) {
      Optional<Estimate> found = estimate(row.replicates().levels(), threshold.metric());
      judged += found.isPresent() ? 1 : 0;
      if (found.filter(each -> !threshold.keptBy(each.value())).isPresent()) {
        missed.add(threshold.text());
      } else if (found.filter(each -> isOpen(threshold, each)).isPresent()) {
        open.add(
            threshold.text()
                + (found.filter(Estimate::hasInterval).isPresent()
                    ? " (the interval contains the limit)"
                    : " (no interval)"));
      }
    }
    if (judged == 0) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    if (!missed.isEmpty()) {
      parts.add("misses " + Phrases.and(missed));
    }
    if (!open.isEmpty()) {
      parts.add("is not shown to keep " + Phrases.and(open));
    }
    return Optional.of(
        "the recommended %s %s"
            .formatted(
                row.label(),
                parts.isEmpty()
                    ? judged == thresholds.size() ? EVERY : EVERY + " that was judged"
                    : Phrases.and(parts)));
  }

  private static boolean isOpen(Threshold threshold, Estimate estimate) {
    return !estimate.hasInterval()
        || threshold.keptBy(estimate.low()) != threshold.keptBy(estimate.high());
  }

  private Finding judged(Threshold threshold) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<Map<String, String>> treatments = trials.treatments();
    for (Map<String, String> levels : treatments) {
      String label = Phrases.differing(levels, treatments);
      estimate(levels, threshold.metric())
          .ifPresent(e -> estimates.put(label.isEmpty() ? "the only treatment" : label, e));
    }
    if (estimates.isEmpty()) {
      return Finding.warning(
          Kind.ESTIMATE,
          "Threshold '%s' was not judged: no valid trial has the metric %s."
              .formatted(threshold.text(), threshold.metric()),
          "A threshold on a metric of results.json.");
    }
    List<String> missed = named(estimates, each -> !threshold.keptBy(each.value()));
    List<String> open = named(estimates, each -> each.hasInterval() && isOpen(threshold, each));
    String sentence =
        missed.isEmpty()
            ? "Threshold '%s' is kept by %s."
                .formatted(threshold.text(), Figures.count(estimates.size(), "treatment"))
            : "Threshold '%s' is missed by %s."
                .formatted(threshold.text(), Phrases.andOthers(missed));
    boolean certain = open.isEmpty() && estimates.values().stream().allMatch(Estimate::hasInterval);
    return Finding.of(
        Kind.ESTIMATE,
        missed.isEmpty() ? Severity.INFO : Severity.WARNING,
        open.isEmpty()
            ? sentence
            : "%s The interval contains the limit with %s."
                .formatted(sentence, Phrases.andOthers(open)),
        estimates,
        certain ? "Another measurement." : "More blocks.");
  }

  private Optional<Estimate> estimate(Map<String, String> levels, String metric) {
    return rankings.stream()
        .flatMap(ranking -> ranking.rows().stream())
        .filter(row -> row.replicates().levels().equals(levels))
        .findFirst()
        .map(row -> row.estimate(metric, trials))
        .orElseGet(() -> trials.mean(levels, metric, ""));
  }

  private static List<String> named(Map<String, Estimate> estimates, Predicate<Estimate> which) {
    return estimates.entrySet().stream()
        .filter(each -> which.test(each.getValue()))
        .map(each -> each.getKey() + " (" + figure(each.getValue()) + ")")
        .toList();
  }

  private static String figure(Estimate estimate) {
    return estimate.unit().isEmpty()
        ? Numbers.shorten(estimate.value())
        : Numbers.micros(estimate.value());
  }
}
