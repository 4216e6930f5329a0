package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import java.util.List;

/**
 * What is varied, and the values it takes.
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

  /** The level coded −1. */
  public String low() {
    return levels.get(0);
  }

  /** The level coded +1, of a factor of two levels. */
  public String high() {
    return levels.get(levels.size() - 1);
  }
}
