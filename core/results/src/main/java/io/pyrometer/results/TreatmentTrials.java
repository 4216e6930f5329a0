package io.pyrometer.results;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ListsByKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The trials of a run by treatment, one attempt of each trial. */
public final class TreatmentTrials {
  private final RunRecord run;
  private final Map<Map<String, String>, List<TrialRecord>> byTreatment;

  public TreatmentTrials(RunRecord run) {
    this.run = run;
    this.byTreatment = run.counting().stream().collect(ListsByKey.by(TrialRecord::levels));
  }

  public RunRecord run() {
    return run;
  }

  /** In the order of the run. */
  public List<Map<String, String>> treatments() {
    return List.copyOf(byTreatment.keySet());
  }

  public List<TrialRecord> trials(Map<String, String> levels) {
    return byTreatment.getOrDefault(levels, List.of());
  }

  /** Returns whether some trial of the treatment is valid: carried out, its verification passed. */
  public boolean measured(Map<String, String> levels) {
    return trials(levels).stream().anyMatch(trial -> trial.outcome() == Outcome.OK);
  }

  /** The metric's values above 0 by block, of valid trials. */
  public Treatment values(Map<String, String> levels, String metric) {
    return values(levels, trials(levels), metric);
  }

  /** The geometric mean of the metric's values above 0; empty without any. */
  public Optional<Estimate> mean(Map<String, String> levels, String metric, String unit) {
    double[] values = values(levels, metric).values();
    return values.length == 0 ? Optional.empty() : Optional.of(Means.geometric(values, unit));
  }

  /** The metric's values above 0 by block, of the valid ones of the trials. */
  public static Treatment values(
      Map<String, String> levels, List<TrialRecord> trials, String metric) {
    return values(levels, trials, trial -> trial.value(metric));
  }

  /** Values above 0 by block, of the valid ones of the trials. */
  public static Treatment values(
      Map<String, String> levels,
      List<TrialRecord> trials,
      Function<TrialRecord, Optional<Double>> of) {
    TreeMap<Integer, Double> values = new TreeMap<>();
    for (TrialRecord trial : trials) {
      if (trial.outcome() == Outcome.OK) {
        of.apply(trial).filter(v -> v > 0).ifPresent(value -> values.put(trial.block(), value));
      }
    }
    Map<String, Double> blocks = new LinkedHashMap<>();
    values.forEach((block, value) -> blocks.put(String.valueOf(block + 1), value));
    return new Treatment(levels, blocks);
  }
}
