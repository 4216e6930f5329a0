package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The configurations that a search may choose from. A configuration is a list of indices, of each
 * knob's level.
 *
 * @param allowed whether a configuration keeps all constraints; that of the initial levels does
 */
public record TuningSpace(List<Knob> knobs, Predicate<List<Integer>> allowed) {

  /**
   * A setting to be tuned.
   *
   * @param levels how many there are, at least 2
   * @param ordered whether they ascend, so that neighbours behave alike
   * @param initial the level of the default configuration
   * @param needs empty where the setting always has an effect
   */
  public record Knob(String name, int levels, boolean ordered, int initial, Optional<Needs> needs) {

    /** Checks that there is something to choose. */
    public Knob {
      if (levels < 2 || initial < 0 || initial >= levels) {
        throw BadDataException.of(
            "'%s' has %d levels, of which the one of the default is number %d; give two or more.",
            name, levels, initial);
      }
    }
  }

  /**
   * Condition that a knob has an effect only where another, earlier or later one has one of these
   * levels.
   */
  public record Needs(int knob, Set<Integer> levels) {
    public Needs {
      levels = Set.copyOf(levels);
    }
  }

  public TuningSpace {
    knobs = List.copyOf(knobs);
  }

  /** The default configuration. */
  public List<Integer> initial() {
    return knobs.stream().map(Knob::initial).toList();
  }

  /** A configuration with the knobs that have no effect at their initial levels. */
  public List<Integer> canonical(List<Integer> configuration) {
    List<Integer> canonical = new ArrayList<>(configuration);
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < knobs.size(); i++) {
        if (isInactive(i, canonical)) {
          canonical.set(i, knobs.get(i).initial());
        }
      }
    }
    return List.copyOf(canonical);
  }

  /** True where the condition of the knob does not hold, so that its level has no effect. */
  boolean isInactive(int knob, List<Integer> configuration) {
    return knobs
        .get(knob)
        .needs()
        .filter(needs -> !needs.levels().contains(configuration.get(needs.knob())))
        .isPresent();
  }

  /** The levels of a configuration; the number behind them for a knob that has no effect in it. */
  int[] effective(List<Integer> configuration) {
    return IntStream.range(0, knobs.size())
        .map(k -> isInactive(k, configuration) ? knobs.get(k).levels() : configuration.get(k))
        .toArray();
  }

  /** True where other knobs have an effect only at some of its levels. */
  boolean isNeeded(int knob) {
    return knobs.stream()
        .anyMatch(other -> other.needs().filter(needs -> needs.knob() == knob).isPresent());
  }

  /** A configuration with a level of what the knob needs at which it has an effect. */
  List<Integer> activated(int knob, List<Integer> configuration) {
    return isInactive(knob, configuration)
        ? knobs
            .get(knob)
            .needs()
            .flatMap(
                needs ->
                    needs.levels().stream()
                        .min(Integer::compare)
                        .map(level -> with(configuration, needs.knob(), level)))
            .orElse(configuration)
        : configuration;
  }

  /** A configuration with one knob changed. */
  static List<Integer> with(List<Integer> configuration, int knob, int level) {
    List<Integer> changed = new ArrayList<>(configuration);
    changed.set(knob, level);
    return changed;
  }

  /**
   * Takes knobs back to their initial levels, in an order drawn, until all constraints are kept.
   */
  List<Integer> repaired(List<Integer> configuration, Random random) {
    List<Integer> repaired = canonical(configuration);
    List<Integer> order = new ArrayList<>(IntStream.range(0, knobs.size()).boxed().toList());
    Collections.shuffle(order, random);
    for (int knob : order) {
      if (allowed.test(repaired)) {
        break;
      }
      repaired = canonical(with(repaired, knob, knobs.get(knob).initial()));
    }
    return repaired;
  }

  /** All configurations that keep the constraints, each once. */
  Set<List<Integer>> configurations() {
    Stream<List<Integer>> begun = Stream.of(initial());
    for (int i = 0; i < knobs.size(); i++) {
      int knob = i;
      begun =
          begun.flatMap(
              levels ->
                  IntStream.range(0, knobs.get(knob).levels())
                      .mapToObj(level -> with(levels, knob, level)));
    }
    return begun
        .map(this::canonical)
        .filter(allowed)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** How many configurations there are, or {@code limit} if they are as many or more. */
  long size(long limit) {
    long size = 1;
    for (Knob knob : knobs) {
      size = Math.min(limit, size * knob.levels());
    }
    return size;
  }
}
