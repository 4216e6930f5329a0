package io.pyrometer.experiment.design;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The number that grows in an experiment: of nodes or, where that stays, of clients.
 *
 * @param factors that set the number; treatments that agree in all others make one curve
 */
public record ScalingSeries(Count count, Set<String> factors) {
  /** Fewer numbers than this make no curve. */
  public static final int FEWEST = 3;

  public ScalingSeries {
    factors = Collections.unmodifiableSet(new LinkedHashSet<>(factors));
  }

  /** The processes or threads that are counted. */
  public enum Count {
    NODES,
    /** Load threads over all agents. */
    CLIENTS;

    private List<SettingKey<Integer>> settings() {
      return this == NODES
          ? List.of(CoreSettings.NODES)
          : List.of(CoreSettings.AGENTS, CoreSettings.THREADS);
    }

    /** The number in a treatment; what a file leaves out has its initial value. */
    public long of(Settings given) {
      return settings().stream().mapToLong(key -> given.get(key)).reduce(1, (a, b) -> a * b);
    }
  }

  /** A treatment: its levels, and the settings that hold in it. */
  public record Step(Map<String, String> levels, Settings settings) {}

  /** A ladder of nodes if one curve has three numbers or more, else of clients, else none. */
  public static Optional<ScalingSeries> of(List<Step> steps) {
    return Stream.of(Count.values())
        .map(count -> over(count, steps))
        .filter(ladder -> ladder.longest(steps) >= FEWEST)
        .findFirst();
  }

  /** The ladder of one count, however short. */
  public static ScalingSeries over(Count count, List<Step> steps) {
    Set<String> names = new LinkedHashSet<>();
    steps.forEach(step -> names.addAll(step.levels().keySet()));
    names.removeIf(name -> count.settings().stream().noneMatch(s -> sets(name, s, steps)));
    return new ScalingSeries(count, names);
  }

  /**
   * Checks whether each level of a factor goes with one value of the setting, and not all with one.
   */
  private static boolean sets(String factor, SettingKey<Integer> setting, List<Step> steps) {
    Map<String, Long> byLevel = new HashMap<>();
    for (Step step : steps) {
      String level = step.levels().get(factor);
      if (level == null || level.equals(Treatments.AS_IN_CASE)) {
        continue;
      }
      long value = step.settings().get(setting);
      Long before = byLevel.putIfAbsent(level, value);
      if (before != null && before != value) {
        return false;
      }
    }
    return new HashSet<>(byLevel.values()).size() > 1;
  }

  /** The levels of the factors that do not set the number. */
  public Map<String, String> curve(Map<String, String> levels) {
    Map<String, String> others = new LinkedHashMap<>(levels);
    others.keySet().removeAll(factors);
    return others;
  }

  /** The most different numbers on any curve. */
  public int longest(List<Step> steps) {
    Map<Map<String, String>, Set<Long>> curves = new HashMap<>();
    for (Step step : steps) {
      curves
          .computeIfAbsent(curve(step.levels()), c -> new HashSet<>())
          .add(count.of(step.settings()));
    }
    return curves.values().stream().mapToInt(Set::size).max().orElse(0);
  }
}
