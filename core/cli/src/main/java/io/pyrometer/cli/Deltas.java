package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.results.compare.Margins;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of {@code --delta}.
 *
 * @param overall of every metric, 0.03 for 3 %
 * @param byMetric of single metrics
 */
record Deltas(Optional<Double> overall, Map<String, Double> byMetric) {

  /**
   * Reads {@code 3%}, {@code 0.03} and {@code metric=3%}.
   *
   * @throws RunException if one is no share between 0 and 1
   */
  static Deltas of(List<String> texts) {
    Optional<Double> overall = Optional.empty();
    Map<String, Double> byMetric = new LinkedHashMap<>();
    for (String text : texts) {
      int sign = text.indexOf('=');
      if (sign < 0) {
        overall = Optional.of(share(text));
      } else {
        byMetric.put(text.substring(0, sign).strip(), share(text.substring(sign + 1)));
      }
    }
    return new Deltas(overall, byMetric);
  }

  /** As they are given, or the defaults where none is. */
  Margins margins() {
    return overall.isEmpty() && byMetric.isEmpty()
        ? Margins.DEFAULT
        : Margins.given(overall, byMetric);
  }

  private static double share(String text) {
    boolean percent = text.strip().endsWith("%");
    String number = percent ? text.strip().substring(0, text.strip().length() - 1) : text;
    try {
      double value = Double.parseDouble(number.strip()) / (percent ? 100 : 1);
      if (value > 0 && value < 1) {
        return value;
      }
    } catch (NumberFormatException none) {
      // Reported below, with the shares that are out of range.
    }
    throw new RunException(
        "--delta takes a share between 0 and 1, as 3%% or 0.03, not '%s'; correct it."
            .formatted(text));
  }
}
