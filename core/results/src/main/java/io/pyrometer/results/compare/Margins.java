package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.results.NamedMetric;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The smallest relevant difference of each metric.
 *
 * @param overall of every metric that has none of its own; empty for the metric's default
 * @param byMetric by the metric's name, in a form that {@link JudgedMetrics} takes
 * @param origin one sentence on where they come from
 */
public record Margins(Optional<Double> overall, Map<String, Double> byMetric, String origin) {
  private static final String DEFAULTS = "3 % of throughput and CPU time, 5 % of p50, 10 % of p99";

  /** The defaults of the metrics. */
  public static final Margins DEFAULT =
      new Margins(
          Optional.empty(),
          Map.of(),
          "Smallest relevant difference: %s, the default; --delta sets another."
              .formatted(DEFAULTS));

  /**
   * As given: {@code 3%} or {@code 0.03} of every metric, {@code metric=3%} of one.
   *
   * @return the defaults where nothing is given
   * @throws RunException if one is no share between 0 and 1
   */
  public static Margins parse(List<String> texts) {
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
    return given(overall, byMetric);
  }

  private static double share(String text) {
    String number = text.strip();
    boolean percent = number.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number);
      double share = percent ? value / 100 : value;
      if (share > 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException none) {
      // Reported below, with the shares that are out of range.
    }
    throw RunException.of(
        "--delta takes a share between 0 and 1, as 3%% or 0.03, not '%s'; correct it.", text);
  }

  /**
   * As given on the command line.
   *
   * @param overall of every metric; empty for the defaults
   * @param byMetric of single metrics by name, which go before the others
   */
  public static Margins given(Optional<Double> overall, Map<String, Double> byMetric) {
    if (overall.isEmpty() && byMetric.isEmpty()) {
      return DEFAULT;
    }
    StringBuilder origin = new StringBuilder("Smallest relevant difference: ");
    origin.append(overall.map(Figures::percent).orElse(DEFAULTS));
    byMetric.forEach(
        (metric, delta) -> origin.append("; %s of %s".formatted(Figures.percent(delta), metric)));
    return new Margins(overall, byMetric, origin.append(", as given with --delta.").toString());
  }

  /** As an interleaved run was planned with, so that each look judges by the same. */
  public static Margins of(Interleaving plan) {
    return given(plan.delta(), plan.deltas());
  }

  /**
   * The defaults of the metrics. What a machine can detect is no reason for what matters: a
   * calibration of a like environment only says how many blocks a gate with these margins takes.
   */
  public static Margins found(Path runs, Environment environment) {
    String blocks =
        Calibration.latest(runs, environment)
            .flatMap(
                calibration ->
                    calibration
                        .floor(Metric.THROUGHPUT)
                        .map(
                            floor ->
                                "At the noise of %s an interleaved comparison finds a loss of throughput of %s within %s in 95 of 100 cases."
                                    .formatted(
                                        calibration.run().folder().path().getFileName(),
                                        Figures.percent(GateRule.DEFAULT.toFind()),
                                        NoiseFloor.blocks(floor.blocksToFind()))))
            .orElse(
                "How many blocks that takes here is not known; 'pyrometer calibrate' measures it.");
    return new Margins(Optional.empty(), Map.of(), DEFAULT.origin() + " " + blocks);
  }

  double of(NamedMetric metric) {
    return byMetric.entrySet().stream()
        .filter(each -> JudgedMetrics.isName(each.getKey(), metric))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> overall)
        .orElseGet(metric::defaultDelta);
  }

  /** The metrics that have one of their own. */
  public JudgedMetrics named() {
    return new JudgedMetrics(byMetric.keySet(), Set.of());
  }
}
