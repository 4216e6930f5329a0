package io.pyrometer.lab.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.lab.machine.Environment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * The smallest relevant difference of each metric.
 *
 * @param origin one sentence on where they come from
 */
public record Margins(Map<Metric, Double> deltas, String origin) {
  private static final double USUAL = ComparisonRule.HIGHER_IS_BETTER.delta();

  /** Given on the command line. */
  public static Margins given(double delta) {
    return new Margins(
        of(delta, delta),
        "Differences under %s do not matter, as asked for.".formatted(Figures.percent(delta)));
  }

  /**
   * The usual ones. What a machine can detect is no reason for what matters: a calibration of a
   * like environment only says how many pairs a gate with these margins takes.
   */
  public static Margins found(Path runs, Environment environment) {
    String matters =
        "Differences under %s do not matter: the default; --delta sets another."
            .formatted(Figures.percent(USUAL));
    return new Margins(
        of(USUAL, USUAL),
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

  private static Map<Metric, Double> of(double throughput, double cpu) {
    Map<Metric, Double> deltas = new EnumMap<>(Metric.class);
    deltas.put(Metric.THROUGHPUT, throughput);
    deltas.put(Metric.CPU, cpu);
    return deltas;
  }

  double of(Metric metric) {
    return deltas.getOrDefault(metric, USUAL);
  }
}
