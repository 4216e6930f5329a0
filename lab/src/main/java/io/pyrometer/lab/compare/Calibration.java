package io.pyrometer.lab.compare;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.lab.journal.RunException;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.lab.machine.Environment;
import io.pyrometer.lab.outcome.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a machine can tell apart, from a run of {@code calibrate}: the same against itself. */
public final class Calibration {
  /** The name of such a run's experiment. */
  public static final String NAME = "calibrate";

  private final RunRecord run;
  private final Map<Metric, NoiseFloor> floors;

  private Calibration(RunRecord run, Map<Metric, NoiseFloor> floors) {
    this.run = run;
    this.floors = floors;
  }

  /**
   * @throws BadDataException if fewer than three pairs came out right
   */
  public static Calibration of(RunRecord run) {
    Replicates replicates = new Replicates(run);
    Map<Metric, NoiseFloor> floors = new EnumMap<>(Metric.class);
    for (Metric metric : Metric.values()) {
      List<Treatment> both = both(replicates, metric);
      floor(metric, both.get(0), both.get(1)).ifPresent(floor -> floors.put(metric, floor));
    }
    if (!floors.containsKey(Metric.THROUGHPUT)) {
      throw BadDataException.of(
          "Fewer than 3 pairs of %s came out right, which gives no noise floor; calibrate again.",
          run.folder().path().getFileName());
    }
    return new Calibration(run, floors);
  }

  /** The treatment, and the same once more. */
  static List<Treatment> both(Replicates replicates, Metric metric) {
    return CalibrationPlan.BOTH.stream().map(levels -> replicates.of(levels, metric)).toList();
  }

  private static Optional<NoiseFloor> floor(Metric metric, Treatment one, Treatment other) {
    List<String> shared =
        one.replicates().keySet().stream().filter(other.replicates()::containsKey).toList();
    if (shared.size() < 3) {
      return Optional.empty();
    }
    return Optional.of(
        NoiseFloor.of(
            values(one, shared),
            values(other, shared),
            new GateRule(
                GateRule.DEFAULT.pairs(),
                GateRule.DEFAULT.level(),
                GateRule.DEFAULT.margin(),
                metric.better()),
            0.95));
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
        .filter(folder -> folder.plan().name().equals(NAME))
        .flatMap(folder -> usable(folder, environment).stream())
        .findFirst();
  }

  private static Optional<Calibration> usable(RunFolder folder, Environment environment) {
    try {
      RunRecord run = RunRecord.load(folder);
      return run.environment().like(environment) ? Optional.of(of(run)) : Optional.empty();
    } catch (BadDataException | RunException unfinished) {
      return Optional.empty();
    }
  }

  RunRecord run() {
    return run;
  }

  Map<Metric, NoiseFloor> floors() {
    return floors;
  }

  /** How many pairs a gate takes here; empty without such figures, or if a thousand do not do. */
  Optional<Integer> pairsNeeded(Metric metric) {
    return Optional.ofNullable(floors.get(metric))
        .flatMap(floor -> floor.pairsNeeded().stream().boxed().findFirst());
  }
}
