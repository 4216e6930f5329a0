package io.pyrometer.results.compare;

import io.pyrometer.analysis.Treatment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.results.run.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A run's trials that count, by treatment. */
final class Replicates {
  private final Map<Map<String, String>, List<TrialRecord>> byTreatment = new LinkedHashMap<>();

  Replicates(RunRecord run) {
    for (TrialRecord trial : run.counting()) {
      byTreatment.computeIfAbsent(trial.levels(), l -> new java.util.ArrayList<>()).add(trial);
    }
  }

  /** In the order of the run. */
  List<Map<String, String>> treatments() {
    return List.copyOf(byTreatment.keySet());
  }

  List<TrialRecord> trials(Map<String, String> levels) {
    return byTreatment.getOrDefault(levels, List.of());
  }

  boolean right(Map<String, String> levels) {
    return trials(levels).stream().anyMatch(trial -> trial.outcome() == Outcome.OK);
  }

  /** The metric's value by block, of trials that came out right. */
  Treatment of(Map<String, String> levels, Metric metric) {
    TreeMap<Integer, Double> values = new TreeMap<>();
    for (TrialRecord trial : trials(levels)) {
      if (trial.outcome() == Outcome.OK) {
        metric.of(trial).ifPresent(value -> values.put(trial.block(), value));
      }
    }
    Map<String, Double> blocks = new LinkedHashMap<>();
    values.forEach((block, value) -> blocks.put(String.valueOf(block + 1), value));
    return new Treatment(levels, blocks);
  }
}
