package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.journal.Metric;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether the treatments of a run keep the thresholds of its experiment, by their estimates. */
final class ThresholdFindings {
  private static final double CONFIDENCE = 0.95;

  private ThresholdFindings() {}

  /** One for each threshold, a warning where it is missed or nothing measured has its metric. */
  static List<Finding> of(RunRecord run) {
    TreatmentTrials trials = new TreatmentTrials(run);
    return run.plan().experiment().thresholds().stream()
        .map(threshold -> judged(trials, threshold))
        .toList();
  }

  private static Finding judged(TreatmentTrials trials, Threshold threshold) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    List<Map<String, String>> treatments = trials.treatments();
    for (Map<String, String> levels : treatments) {
      double[] values = trials.values(levels, threshold.metric()).values();
      if (values.length > 0) {
        String unit = Metric.parseLatency(threshold.metric()).isPresent() ? "µs" : "";
        String label = Phrases.differing(levels, treatments);
        estimates.put(
            label.isEmpty() ? "the only treatment" : label,
            Means.geometric(values, unit, CONFIDENCE));
      }
    }
    if (estimates.isEmpty()) {
      return Finding.warning(
          Kind.ESTIMATE,
          "Threshold '%s' was not judged: no valid trial has the metric %s."
              .formatted(threshold.text(), threshold.metric()),
          "A threshold on a metric of results.json.");
    }
    List<String> missed =
        estimates.entrySet().stream()
            .filter(each -> !threshold.keptBy(each.getValue().value()))
            .map(each -> each.getKey() + " (" + figure(each.getValue()) + ")")
            .toList();
    boolean open =
        estimates.values().stream()
            .anyMatch(
                each ->
                    !each.hasInterval()
                        || threshold.keptBy(each.low()) != threshold.keptBy(each.high()));
    return new Finding(
        Kind.ESTIMATE,
        missed.isEmpty() ? Severity.INFO : Severity.WARNING,
        missed.isEmpty()
            ? "Threshold '%s' is kept by %s."
                .formatted(threshold.text(), Figures.count(estimates.size(), "treatment"))
            : "Threshold '%s' is missed by %s."
                .formatted(threshold.text(), Phrases.andOthers(missed)),
        estimates,
        open ? "More blocks: an interval contains the limit." : "Another measurement.");
  }

  private static String figure(Estimate estimate) {
    return estimate.unit().isEmpty()
        ? Numbers.shorten(estimate.value())
        : Numbers.micros(estimate.value());
  }
}
