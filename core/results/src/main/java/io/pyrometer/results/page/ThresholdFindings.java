package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
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
  private final TreatmentTrials trials;
  private final List<Ranking> rankings;

  private ThresholdFindings(RunRecord run, List<Ranking> rankings) {
    this.trials = new TreatmentTrials(run);
    this.rankings = rankings;
  }

  /** Judgements of each threshold, a warning where it is missed or nothing has its metric. */
  static List<Finding> of(RunRecord run, List<Ranking> rankings) {
    ThresholdFindings findings = new ThresholdFindings(run, rankings);
    return run.plan().experiment().thresholds().stream()
        .flatMap(threshold -> findings.judged(threshold).stream())
        .toList();
  }

  private static boolean isOpen(Threshold threshold, Estimate estimate) {
    return threshold.keptBy(estimate.low()) != threshold.keptBy(estimate.high());
  }

  private List<Finding> judged(Threshold threshold) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<Map<String, String>> treatments = trials.treatments();
    for (Map<String, String> levels : treatments) {
      String label = Phrases.differing(levels, treatments);
      estimate(levels, threshold.metric())
          .ifPresent(e -> estimates.put(label.isEmpty() ? "the only treatment" : label, e));
    }
    Value text = Value.name(threshold.text());
    if (estimates.isEmpty()) {
      return List.of(
          Finding.warning("threshold.not-judged")
              .with("threshold", text)
              .with("metric", threshold.metric()));
    }
    List<String> missed = named(estimates, each -> !threshold.keptBy(each.value()));
    List<String> open = named(estimates, each -> each.hasInterval() && isOpen(threshold, each));
    List<Finding> findings = new ArrayList<>();
    findings.add(
        missed.isEmpty()
            ? Finding.info("threshold.kept").with("treatments", estimates.size())
            : Finding.warning("threshold.missed").with("treatments", missed));
    if (!open.isEmpty()) {
      findings.add(Finding.info("threshold.open").with("treatments", open));
    }
    return findings.stream().map(each -> each.with("threshold", text).with(estimates)).toList();
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
        .map(Map.Entry::getKey)
        .toList();
  }
}
