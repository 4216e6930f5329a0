package io.pyrometer.experiment.design;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which combinations of levels become treatments. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Design {

  /** Every combination. */
  record Full() implements Design {}

  /**
   * Every combination but some.
   *
   * @param exceptions each of them leaves out the treatments that have one of its levels in every
   *     factor that it names; {@code case} names the cases
   */
  record Except(List<Map<String, Set<String>>> exceptions) implements Design {

    public Except {
      exceptions = List.copyOf(exceptions);
    }

    /** Whether a treatment of these levels is left out. */
    boolean leavesOut(Map<String, String> levels) {
      return exceptions.stream()
          .anyMatch(
              exception ->
                  exception.entrySet().stream()
                      .allMatch(
                          each ->
                              each.getValue().contains(levels.getOrDefault(each.getKey(), ""))));
    }
  }

  /** A base, and from there each factor through its other levels while the rest stay. */
  record OneAtATime() implements Design {}

  /**
   * Of the levels of the factor {@code rate} those that a search for the highest rate visits, for
   * each combination of the other factors' levels.
   */
  record Search() implements Design {}

  /**
   * A two-level fraction 2^(k−p): p factors follow from products of the others.
   *
   * @param foldover whether every treatment is joined by its mirror, all levels exchanged, which
   *     parts main effects from effects of two factors
   */
  record Fraction(List<Generator> generators, boolean foldover) implements Design {

    public Fraction {
      generators = List.copyOf(generators);
    }
  }

  /**
   * Chosen combinations of two levels each.
   *
   * @param rows of each the index of every factor's level
   */
  record Rows(Set<List<Integer>> rows) implements Design {

    public Rows {
      rows = Set.copyOf(rows);
    }
  }

  /** Whether it takes two levels of each factor. */
  default boolean twoLevels() {
    return this instanceof Fraction || this instanceof Rows;
  }

  /**
   * One generator, such as E=AB; letters name the factors in the order of the file.
   *
   * @param factor index of the factor that follows
   * @param product indices of the factors whose signs are multiplied
   */
  record Generator(int factor, List<Integer> product) {

    public Generator {
      product = List.copyOf(product);
    }
  }
}
