package io.pyrometer.jmh;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result file that JMH 1.37 writes with {@code -rf json}, of one benchmark and one fork.
 *
 * @param unit of the scores: {@code ops/s}, or {@code s/op} for one-shot benchmarks
 * @param scores of each measured iteration
 * @param secondary values of JMH's profilers by their names, each for an operation unless its unit
 *     says otherwise
 */
record JmhResult(
    String mode,
    String unit,
    double score,
    List<Double> scores,
    double iterationSeconds,
    Map<String, Value> secondary) {
  static final String OPERATIONS = "ops/s";
  static final String SECONDS = "s/op";

  /** The process CPU time of an operation, by the profiler that the benchmarks' module adds. */
  static final String CPU = "cpu";

  /** The bytes allocated by an operation, by JMH's own {@code -prof gc}. */
  static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final String PREFIX = "jmh.";

  /** A value of a profiler. */
  record Value(double score, String unit) {}

  /**
   * Reads the text of the file.
   *
   * @throws WorkerException if it is not such a file
   */
  static JmhResult of(String json) {
    try {
      JsonNode all = Json.LINES.readTree(json);
      if (all.size() != 1) {
        throw WorkerException.mismatch(
            "JMH's result holds %d benchmarks instead of one.".formatted(all.size()));
      }
      return of(all.get(0));
    } catch (JsonProcessingException unreadable) {
      throw WorkerException.mismatch(
          "JMH's result cannot be read (%s).".formatted(unreadable.getOriginalMessage()));
    }
  }

  private static JmhResult of(JsonNode benchmark) {
    JsonNode primary = benchmark.path("primaryMetric");
    List<Double> scores = new ArrayList<>();
    primary
        .path("rawData")
        .forEach(fork -> fork.forEach(iteration -> scores.add(iteration.asDouble())));
    String unit = primary.path("scoreUnit").asText();
    double score = primary.path("score").asDouble(Double.NaN);
    if (!(unit.equals(OPERATIONS) || unit.equals(SECONDS)) || !(score > 0) || scores.isEmpty()) {
      throw WorkerException.mismatch(
          "JMH's result has no score in %s or %s: %s.".formatted(OPERATIONS, SECONDS, primary));
    }
    Map<String, Value> secondary = new TreeMap<>();
    benchmark
        .path("secondaryMetrics")
        .properties()
        .forEach(
            each ->
                secondary.put(
                    each.getKey(),
                    new Value(
                        each.getValue().path("score").asDouble(Double.NaN),
                        each.getValue().path("scoreUnit").asText())));
    return new JmhResult(
        benchmark.path("mode").asText(),
        unit,
        score,
        List.copyOf(scores),
        iterationSeconds(benchmark.path("measurementTime").asText()),
        Map.copyOf(secondary));
  }

  /** Of {@code 1 s} or {@code 500 ms}; 0 for the time of single shots, which is none. */
  private static double iterationSeconds(String time) {
    String[] parts = time.split(" ", -1);
    if (parts.length != 2) {
      return 0;
    }
    double value = Double.parseDouble(parts[0]);
    return switch (parts[1]) {
      case "s" -> value;
      case "ms" -> value / 1e3;
      case "us" -> value / 1e6;
      case "m" -> value * 60;
      default -> 0;
    };
  }

  private boolean oneShot() {
    return unit.equals(SECONDS);
  }

  /** Records a second over all threads. */
  double recordsPerSecond(double recordsPerOperation) {
    return oneShot() ? recordsPerOperation / score : recordsPerOperation * score;
  }

  /** The time of all measured iterations together. */
  double measuredSeconds() {
    return oneShot()
        ? scores.stream().mapToDouble(Double::doubleValue).sum()
        : iterationSeconds * scores.size();
  }

  /** The operations of all measured iterations together. */
  long calls() {
    return oneShot() ? scores.size() : Math.round(score * measuredSeconds());
  }

  /** The iterations in words. */
  String iterations() {
    return oneShot()
        ? "JMH, %d single shots".formatted(scores.size())
        : String.format(
            Locale.ROOT, "JMH, %d iterations of %.2f s", scores.size(), iterationSeconds);
  }

  /** The metrics of a trial whose operations handle so many records each. */
  Map<String, Metric> metrics(double recordsPerOperation) {
    Map<String, Metric> metrics = new TreeMap<>();
    metrics.put(
        Metric.THROUGHPUT,
        Metric.higherIsBetter(recordsPerSecond(recordsPerOperation), "records/s"));
    metrics.put(PREFIX + "iteration-spread", Metric.neutral(spreadPercent(), "%"));
    secondary.forEach(
        (name, value) -> {
          if (!Double.isFinite(value.score())) {
            return;
          }
          switch (name) {
            case CPU ->
                metrics.put(
                    Metric.CPU, Metric.lowerIsBetter(value.score() / recordsPerOperation, "µs"));
            case ALLOCATED ->
                metrics.put(
                    Metric.ALLOCATED,
                    Metric.lowerIsBetter(value.score() / recordsPerOperation, "B"));
            default -> metrics.put(PREFIX + name, Metric.neutral(value.score(), value.unit()));
          }
        });
    return metrics;
  }

  /** The range of the iterations' scores in percent of their mean. */
  private double spreadPercent() {
    double least = scores.stream().mapToDouble(Double::doubleValue).min().orElse(score);
    double most = scores.stream().mapToDouble(Double::doubleValue).max().orElse(score);
    return 100 * (most - least) / score;
  }
}
