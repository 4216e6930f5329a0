package io.pyrometer.results.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The order in which a file lists its treatments. */
final class RowOrder {
  /** Of the runs test, one-sided: one random order in 200 is taken for stretches. */
  private static final double STRETCHES = -2.58;

  /** Fewer rows of a level than these follow each other by chance. */
  private static final int MIN_ROWS = 3;

  private final List<List<String>> rows;

  RowOrder(List<List<String>> rows) {
    this.rows = rows;
  }

  private List<String> levels(int factor) {
    return rows.stream().map(row -> row.get(factor)).toList();
  }

  private static int stretches(List<?> values) {
    int stretches = values.isEmpty() ? 0 : 1;
    for (int i = 1; i < values.size(); i++) {
      stretches += values.get(i).equals(values.get(i - 1)) ? 0 : 1;
    }
    return stretches;
  }

  /** Whether a factor changes less often than in a random order, or has one stretch a level. */
  boolean comesInStretches(int factor) {
    List<String> levels = levels(factor);
    Map<String, Integer> counts = new HashMap<>();
    levels.forEach(level -> counts.merge(level, 1, Integer::sum));
    int stretches = stretches(levels);
    if (counts.size() < 2 || 2 * stretches > levels.size()) {
      return false;
    }
    if (stretches == counts.size()) {
      return counts.values().stream().allMatch(count -> count >= MIN_ROWS);
    }
    double n = levels.size();
    double squares = counts.values().stream().mapToDouble(c -> Math.pow(c, 2)).sum();
    double cubes = counts.values().stream().mapToDouble(c -> Math.pow(c, 3)).sum();
    double expected = n + 1 - squares / n;
    double variance =
        (squares * (squares + n * (n + 1)) - 2 * n * cubes - n * n * n) / (n * n * (n - 1));
    return variance > 0 && (stretches - expected) / Math.sqrt(variance) < STRETCHES;
  }

  /**
   * Whether the rows are sorted by factors, one within another. Of factors with two levels the
   * sorted list may be repeated, as designs are listed once for each replicate.
   */
  boolean isSorted() {
    List<List<List<String>>> groups = List.of(rows);
    boolean two =
        rows.stream().allMatch(row -> row.size() == rows.get(0).size())
            && allFactors().stream().allMatch(f -> new LinkedHashSet<>(levels(f)).size() == 2);
    if (two) {
      groups = lists();
    }
    Set<Integer> left = new LinkedHashSet<>(allFactors());
    while (groups.stream().anyMatch(group -> group.stream().distinct().count() > 1)) {
      List<List<List<String>>> current = groups;
      Integer next =
          left.stream().filter(factor -> sortedBy(factor, current)).findFirst().orElse(-1);
      if (!left.remove(next)) {
        return false;
      }
      groups = split(current, next);
    }
    return true;
  }

  private List<Integer> allFactors() {
    List<Integer> factors = new ArrayList<>();
    for (int f = 0; f < rows.get(0).size(); f++) {
      factors.add(f);
    }
    return factors;
  }

  /** The lists that begin with the treatment of the first row. */
  private List<List<List<String>>> lists() {
    List<List<List<String>>> lists = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      boolean begins =
          i == 0 || (rows.get(i).equals(rows.get(0)) && !rows.get(i).equals(rows.get(i - 1)));
      if (begins) {
        lists.add(new ArrayList<>());
      }
      lists.get(lists.size() - 1).add(rows.get(i));
    }
    return lists;
  }

  /** Whether the levels of a factor have the same order in all groups, each in one stretch. */
  private boolean sortedBy(int factor, List<List<List<String>>> groups) {
    List<String> order = levels(factor).stream().distinct().toList();
    boolean varies = false;
    for (List<List<String>> group : groups) {
      for (int i = 1; i < group.size(); i++) {
        int step =
            order.indexOf(group.get(i).get(factor)) - order.indexOf(group.get(i - 1).get(factor));
        if (step < 0) {
          return false;
        }
        varies |= step > 0;
      }
    }
    return varies;
  }

  private static List<List<List<String>>> split(List<List<List<String>>> groups, int factor) {
    List<List<List<String>>> parts = new ArrayList<>();
    for (List<List<String>> group : groups) {
      Map<String, List<List<String>>> byLevel = new LinkedHashMap<>();
      group.forEach(
          row -> byLevel.computeIfAbsent(row.get(factor), key -> new ArrayList<>()).add(row));
      parts.addAll(byLevel.values());
    }
    return parts;
  }
}
