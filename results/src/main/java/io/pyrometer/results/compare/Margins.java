package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.NoiseFloor;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.OperationStatistic;
import io.pyrometer.results.NamedMetric;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The smallest relevant difference of each metric.
 *
 * @param overall of every metric that has none of its own; empty for the metric's default
 * @param byMetric by the metric's name
 * @param origin one sentence on where they come from
 */
public record Margins(Optional<Double> overall, Map<String, Double> byMetric, String origin) {
  private static final double MOST = 0.9;

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

  /** From the newest calibration of a like environment, else the defaults of the metrics. */
  public static Margins found(Path runs, Environment environment) {
    return Calibration.latest(runs, environment)
        .map(Margins::calibrated)
        .orElseGet(
            () ->
                new Margins(
                    Optional.empty(),
                    Map.of(),
                    "Smallest relevant difference: %s, a default, as %s holds no calibration of this environment; 'pyrometer calibrate' makes one."
                        .formatted(defaults(), runs)));
  }

  private static Margins calibrated(Calibration calibration) {
    Map<String, Double> deltas = new HashMap<>();
    calibration.floors().forEach((metric, floor) -> deltas.put(metric.name(), delta(floor)));
    return new Margins(
        Optional.empty(),
        deltas,
        "Smallest relevant difference: what a gate can detect here, as calibrated by %s (%s of throughput%s); %s of metrics that were not calibrated."
            .formatted(
                calibration.run().folder().path().getFileName(),
                Figures.percent(deltas.getOrDefault(Metric.THROUGHPUT, 0.0)),
                Optional.ofNullable(deltas.get(Metric.CPU))
                    .map(cpu -> ", %s of CPU time".formatted(Figures.percent(cpu)))
                    .orElse(""),
                defaults()));
  }

  private static double delta(NoiseFloor floor) {
    return Math.min(MOST, floor.smallestLoss().value());
  }

  private static String defaults() {
    return "3 % of throughput and CPU time, 5 % of p50, 10 % of p99";
  }

  double of(NamedMetric metric) {
    Double own = byMetric.get(metric.name());
    if (own != null) {
      return own;
    }
    return overall.orElseGet(
        () -> sameStatistic(metric).stream().boxed().findFirst().orElse(metric.defaultDelta()));
  }

  /**
   * A calibration measures other operations: the least precise of the same percentile stands in.
   */
  private OptionalDouble sameStatistic(NamedMetric metric) {
    return metric.latency().stream()
        .flatMap(
            latency ->
                byMetric.entrySet().stream()
                    .filter(
                        e ->
                            Metric.parseLatency(e.getKey())
                                .map(OperationStatistic::statistic)
                                .filter(latency.statistic()::equals)
                                .isPresent()))
        .mapToDouble(Map.Entry::getValue)
        .max();
  }
}
