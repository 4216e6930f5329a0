package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A factor and its levels.
 *
 * @param name for example {@code nodes}
 * @param levels in order; of two, the first is −1 and the second +1
 */
public record Factor(String name, List<String> levels) {

  /**
   * Copies the levels; throws {@link BadDataException} unless there are two or more, all different.
   */
  public Factor {
    levels = List.copyOf(levels);
    if (levels.size() < 2 || levels.stream().distinct().count() < levels.size()) {
      throw BadDataException.of(
          "Factor %s needs at least two different levels but has %s; vary it or leave it out.",
          name, levels);
    }
  }

  /** A factor of two levels. */
  public static Factor of(String name, String low, String high) {
    return new Factor(name, List.of(low, high));
  }

  /**
   * Factors among observations. Levels that are numbers are ordered by size, false comes before
   * true, others stay as they come.
   */
  public static List<Factor> of(List<Observation> observations, List<String> names) {
    return names.stream().map(name -> new Factor(name, levels(observations, name))).toList();
  }

  private static List<String> levels(List<Observation> observations, String name) {
    List<String> levels = observations.stream().map(o -> o.level(name)).distinct().toList();
    boolean numbers = levels.stream().allMatch(Factor::isNumber);
    return numbers
        ? levels.stream().sorted(Comparator.comparingDouble(Double::parseDouble)).toList()
        : Set.copyOf(levels).equals(Set.of("false", "true")) ? List.of("false", "true") : levels;
  }

  private static boolean isNumber(String level) {
    try {
      return Double.isFinite(Double.parseDouble(level));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The level coded −1. */
  public String low() {
    return levels.get(0);
  }

  /** The level coded +1, of a factor of two levels. */
  public String high() {
    return levels.get(levels.size() - 1);
  }
}
