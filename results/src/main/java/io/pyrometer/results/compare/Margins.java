package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.journal.Environment;
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

  /**
   * The defaults of the metrics. What a machine can detect is no reason for what matters: a
   * calibration of a like environment only says how many pairs a gate with these margins takes.
   */
  public static Margins found(Path runs, Environment environment) {
    String matters =
        "Smallest relevant difference: %s, the default; --delta sets another."
            .formatted(defaults());
    return new Margins(
        Optional.empty(),
        Map.of(),
        Calibration.latest(runs, environment)
            .map(calibration -> matters + " " + pairs(calibration))
            .orElse(
                "%s How many blocks that takes here is not known; 'pyrometer calibrate' measures it."
                    .formatted(matters)));
  }

  private static String pairs(Calibration calibration) {
    String run = String.valueOf(calibration.run().folder().path().getFileName());
    return calibration
        .pairsNeeded(Metric.THROUGHPUT)
        .map(
            pairs ->
                "%s measured that a loss of throughput of %s takes %s to be found in 95 of 100 cases."
                    .formatted(
                        run,
                        Figures.percent(GateRule.DEFAULT.toFind()),
                        Figures.count(pairs, "pair")))
        .orElse("%s measured too much noise for a gate here.".formatted(run));
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
