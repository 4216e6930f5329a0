package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Treatment;
import java.util.Comparator;
import java.util.List;

/** Finds the factors' levels among treatments. */
final class Levels {
  private Levels() {}

  static List<Factor> of(List<Treatment> treatments, List<String> factors) {
    return factors.stream().map(name -> new Factor(name, levels(treatments, name))).toList();
  }

  private static List<String> levels(List<Treatment> treatments, String name) {
    List<String> levels =
        treatments.stream().map(t -> String.valueOf(t.levels().get(name))).distinct().toList();
    boolean numbers = levels.stream().allMatch(Levels::isNumber);
    Comparator<String> order =
        numbers ? Comparator.comparingDouble(Double::parseDouble) : Comparator.naturalOrder();
    return levels.stream().sorted(order).toList();
  }

  static boolean isNumber(String level) {
    try {
      return Double.isFinite(Double.parseDouble(level));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
