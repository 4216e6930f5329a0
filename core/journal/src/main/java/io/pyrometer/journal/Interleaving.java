package io.pyrometer.journal;

import io.pyrometer.experiment.plan.InterleavedPlan;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Two versions that a run measures in the same blocks, and how they are judged after the last.
 *
 * @param a the baseline
 * @param b the candidate
 * @param delta the smallest relevant difference of every metric, 0.03 for 3 %; empty for the
 *     metrics' defaults
 * @param deltas of single metrics by name, which go before the others
 * @param only the metrics that are judged; empty for the usual ones
 */
public record Interleaving(
    Version a, Version b, Optional<Double> delta, Map<String, Double> deltas, List<String> only) {

  /**
   * One of the two.
   *
   * @param name in words, such as the experiment's file and what is set
   * @param classPath its own classes, absolute; they go before those of the driver
   */
  public record Version(String name, List<String> classPath) {}

  /** Which of the two a treatment is of. */
  public Version of(Map<String, String> levels) {
    return InterleavedPlan.B.equals(levels.get(InterleavedPlan.FACTOR)) ? b : a;
  }

  /** The treatment without the level that tells the versions apart. */
  public static Map<String, String> common(Map<String, String> levels) {
    Map<String, String> common = new LinkedHashMap<>(levels);
    common.remove(InterleavedPlan.FACTOR);
    return common;
  }

  /** Checks whether a version has classes of its own. */
  boolean ofClasses() {
    return !a.classPath().isEmpty() || !b.classPath().isEmpty();
  }

  List<Path> classes(Map<String, String> levels) {
    return of(levels).classPath().stream().map(Path::of).toList();
  }
}
