package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.journal.Environment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

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

  /** From the newest calibration of a like environment, else the usual ones. */
  public static Margins found(Path runs, Environment environment) {
    Optional<Calibration> calibration = Calibration.latest(runs, environment);
    if (calibration.isEmpty()) {
      return new Margins(
          of(USUAL, USUAL),
          "Differences under %s do not matter: a default, as there is no calibration of this environment in %s; 'pyrometer calibrate' makes one."
              .formatted(Figures.percent(USUAL), runs));
    }
    double throughput = found(calibration.get(), Metric.THROUGHPUT);
    double cpu = found(calibration.get(), Metric.CPU);
    return new Margins(
        of(throughput, cpu),
        "Differences under %s of throughput and %s of CPU time do not matter, as they cannot be told here: calibrated by %s."
            .formatted(
                Figures.percent(throughput),
                Figures.percent(cpu),
                calibration.get().run().folder().path().getFileName()));
  }

  private static double found(Calibration calibration, Metric metric) {
    return calibration.smallest(metric).map(loss -> Math.min(0.9, loss.value())).orElse(USUAL);
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
