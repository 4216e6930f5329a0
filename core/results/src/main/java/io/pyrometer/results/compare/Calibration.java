package io.pyrometer.results.compare;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.experiment.plan.CalibrationPlan;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The smallest regressions that a machine can detect, from a run of {@code calibrate}: an A/A test.
 */
public final class Calibration {
  private final RunRecord run;
  private final Map<NamedMetric, NoiseFloor> floors;

  private final Margins margins;

  private Calibration(RunRecord run, Margins margins, Map<NamedMetric, NoiseFloor> floors) {
    this.run = run;
    this.margins = margins;
    this.floors = floors;
  }

  /**
   * The noise, and what a gate with these margins takes of one treatment that is judged by all
   * these metrics.
   *
   * @throws BadDataException if fewer than three pairs are valid
   */
  public static Calibration of(RunRecord run, Margins margins) {
    TreatmentTrials replicates = new TreatmentTrials(run);
    List<NamedMetric> metrics =
        NamedMetric.of(run.counting()).stream().filter(NamedMetric::standard).toList();
    Map<NamedMetric, NoiseFloor> floors = new LinkedHashMap<>();
    for (NamedMetric metric : metrics) {
      GateRule rule = new GateRule(GateRule.DEFAULT.level(), margins.of(metric), metric.better());
      List<Treatment> both = both(replicates, metric);
      floor(both.get(0), both.get(1), rule, metrics.size())
          .ifPresent(floor -> floors.put(metric, floor));
    }
    if (floors.keySet().stream().noneMatch(metric -> metric.name().equals(Metric.THROUGHPUT))) {
      throw BadDataException.of(
          "Fewer than 3 pairs of %s are valid, which gives no noise floor; calibrate again.",
          run.folder().path().getFileName());
    }
    return new Calibration(run, margins, floors);
  }

  /** The treatment, and the same once more. */
  static List<Treatment> both(TreatmentTrials replicates, NamedMetric metric) {
    return CalibrationPlan.BOTH.stream()
        .map(levels -> replicates.values(levels, metric.name()))
        .toList();
  }

  private static Optional<NoiseFloor> floor(
      Treatment one, Treatment other, GateRule rule, int rows) {
    List<String> shared =
        one.replicates().keySet().stream().filter(other.replicates()::containsKey).toList();
    return shared.size() < 3
        ? Optional.empty()
        : Optional.of(NoiseFloor.of(values(one, shared), values(other, shared), rule, rows, 0.95));
  }

  private static double[] values(Treatment treatment, List<String> blocks) {
    return blocks.stream()
        .mapToDouble(block -> treatment.replicates().getOrDefault(block, 0.0))
        .toArray();
  }

  /** The newest one in a folder of runs that was made in an environment like this. */
  public static Optional<Calibration> latest(Path runs, Environment environment) {
    List<RunFolder> folders = new ArrayList<>(RunFolder.all(runs));
    Collections.reverse(folders);
    return folders.stream()
        .filter(folder -> folder.plan().name().equals(CalibrationPlan.NAME))
        .flatMap(folder -> usable(folder, environment).stream())
        .findFirst();
  }

  private static Optional<Calibration> usable(RunFolder folder, Environment environment) {
    try {
      RunRecord run = RunRecord.load(folder);
      return run.environment().differences(environment).isEmpty()
          ? Optional.of(of(run, Margins.DEFAULT))
          : Optional.empty();
    } catch (BadDataException | RunException unfinished) {
      return Optional.empty();
    }
  }

  RunRecord run() {
    return run;
  }

  Map<NamedMetric, NoiseFloor> floors() {
    return floors;
  }

  /** What was found of a metric; empty without such figures. */
  Optional<NoiseFloor> floor(String metric) {
    return floors.entrySet().stream()
        .filter(floor -> floor.getKey().name().equals(metric))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  Margins margins() {
    return margins;
  }
}
