package io.pyrometer.analysis.validity;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The limits that a trial may not pass: all thresholds of validity in one place, to be printed with
 * every report.
 *
 * @param limits for every sign
 */
public record Limits(Map<Sign, Double> limits) {
  /** Every sign's own default. */
  public static final Limits DEFAULT = new Limits(Map.of());

  /** Fills up with defaults; throws {@link BadDataException} if a limit is not finite. */
  public Limits {
    EnumMap<Sign, Double> all = new EnumMap<>(Sign.class);
    for (Sign sign : Sign.values()) {
      all.put(sign, finite(sign, limits.getOrDefault(sign, sign.defaultLimit())));
    }
    limits = Collections.unmodifiableMap(all);
  }

  private static double finite(Sign sign, double figure) {
    if (!Double.isFinite(figure)) {
      throw BadDataException.of("The figure for %s is not a finite number.", sign.label());
    }
    return figure;
  }

  /** The same with another limit for one sign. */
  public Limits with(Sign sign, double limit) {
    EnumMap<Sign, Double> changed = new EnumMap<>(limits);
    changed.put(sign, limit);
    return new Limits(changed);
  }

  /** The limit of a sign. */
  public double of(Sign sign) {
    return limits.getOrDefault(sign, sign.defaultLimit());
  }

  /** One line for each sign: what, and its limit. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    limits.forEach((sign, limit) -> lines.add(sign.label() + ": " + sign.limitInWords(limit)));
    return List.copyOf(lines);
  }

  /**
   * Judges a trial.
   *
   * @param measured what was measured of it; signs that are missing are not judged
   * @return one finding for each limit that was passed; none for an undisturbed trial
   */
  public List<Finding> judge(Map<Sign, Double> measured) {
    List<Finding> findings = new ArrayList<>();
    for (Sign sign : Sign.values()) {
      Double figure = measured.get(sign);
      if (figure != null && sign.disturbed(finite(sign, figure), of(sign))) {
        findings.add(finding(sign, figure));
      }
    }
    return List.copyOf(findings);
  }

  private Finding finding(Sign sign, double figure) {
    String sentence =
        sign == Sign.GENERATOR_HEADROOM
            ? "Limited by the generator: its own ceiling is only %s the result, where %s is asked for."
                .formatted(sign.inWords(figure), sign.limitInWords(of(sign)))
            : "Disturbed: %s was %s, where %s is allowed."
                .formatted(sign.label(), sign.inWords(figure), sign.limitInWords(of(sign)));
    return new Finding(
        Finding.Kind.DISTURBED,
        Finding.Severity.WARNING,
        sentence,
        Map.of(),
        "A repeat of the trial that stays within its limits.");
  }
}
