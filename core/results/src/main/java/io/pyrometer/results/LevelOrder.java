package io.pyrometer.results;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The order of an experiment's file, which a run leaves for a random one.
 *
 * @param levels by factor
 */
public record LevelOrder(Map<String, List<String>> levels) {

  /** That of a run's experiment. */
  public static LevelOrder of(RunRecord run) {
    return new LevelOrder(run.plan().experiment().levels());
  }

  /** By the first factor, then by the second, and so on. */
  public <T> Comparator<T> comparing(Function<T, Map<String, String>> levelsOf) {
    return (a, b) -> {
      Map<String, String> one = levelsOf.apply(a);
      Map<String, String> other = levelsOf.apply(b);
      return levels.keySet().stream()
          .mapToInt(factor -> Integer.compare(place(factor, one), place(factor, other)))
          .filter(order -> order != 0)
          .findFirst()
          .orElse(0);
    };
  }

  private int place(String factor, Map<String, String> treatment) {
    return levels.getOrDefault(factor, List.of()).indexOf(treatment.getOrDefault(factor, ""));
  }
}
