package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Metric;
import io.pyrometer.results.NamedMetric;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The smallest relevant difference of each metric.
 *
 * @param overall of every metric that has none of its own; empty for the metric's default
 * @param byMetric by the metric's name
 * @param origin one sentence on where they come from
 */
public record Margins(Optional<Double> overall, Map<String, Double> byMetric, String origin) {
  /** The defaults of the metrics. */
  public static final Margins DEFAULT =
      new Margins(
          Optional.empty(),
          Map.of(),
          "Smallest relevant difference: %s, the default; --delta sets another."
              .formatted(defaults()));

  public Margins {
    byMetric = Map.copyOf(byMetric);
  }

  /**
   * As given on the command line.
   *
   * @param overall of every metric; empty for the defaults
   * @param byMetric of single metrics by name, which go before the others
   */
  public static Margins given(Optional<Double> overall, Map<String, Double> byMetric) {
    StringBuilder origin = new StringBuilder("Smallest relevant difference: ");
    origin.append(overall.map(Figures::percent).orElseGet(Margins::defaults));
    byMetric.forEach(
        (metric, delta) -> origin.append("; %s of %s".formatted(Figures.percent(delta), metric)));
    return new Margins(overall, byMetric, origin.append(", as given with --delta.").toString());
  }

  /** As an interleaved run was planned with, so that each look judges by the same. */
  public static Margins of(Interleaving plan) {
    return plan.delta().isEmpty() && plan.deltas().isEmpty()
        ? DEFAULT
        : given(plan.delta(), plan.deltas());
  }

  /**
   * The defaults of the metrics. What a machine can detect is no reason for what matters: a
   * calibration of a like environment only says how many blocks a gate with these margins takes.
   */
  public static Margins found(Path runs, Environment environment) {
    String blocks =
        Calibration.latest(runs, environment)
            .map(Margins::blocks)
            .orElse(
                "How many blocks that takes here is not known; 'pyrometer calibrate' measures it.");
    return new Margins(Optional.empty(), Map.of(), DEFAULT.origin() + " " + blocks);
  }

  private static String blocks(Calibration calibration) {
    String run = String.valueOf(calibration.run().folder().path().getFileName());
    return calibration
        .floor(Metric.THROUGHPUT)
        .map(
            floor ->
                "At the noise of %s an interleaved comparison finds a loss of throughput of %s within %s in 95 of 100 cases."
                    .formatted(
                        run,
                        Figures.percent(GateRule.DEFAULT.toFind()),
                        NoiseFloor.blocks(floor.blocksToFind())))
        .orElse("");
  }

  private static String defaults() {
    return "3 % of throughput and CPU time, 5 % of p50, 10 % of p99";
  }

  double of(NamedMetric metric) {
    Double own = byMetric.get(metric.name());
    if (own != null) {
      return own;
    }
    return overall.orElseGet(metric::defaultDelta);
  }
}
