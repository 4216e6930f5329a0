package io.pyrometer.jmh;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Json;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One benchmark of the result file that JMH 1.37 writes with {@code -rf json}, of one fork.
 *
 * @param measurementTime of an iteration, {@code 1 s} or {@code 500 ms}
 * @param secondaryMetrics values of JMH's profilers by their names, each for an operation unless
 *     its unit says otherwise
 */
record JmhResult(String measurementTime, Score primaryMetric, Map<String, Score> secondaryMetrics) {
  static final String OPERATIONS = "ops/s";
  static final String SECONDS = "s/op";

  /** The process CPU time of an operation, by the profiler that the benchmarks' module adds. */
  static final String CPU = "cpu";

  /** The bytes allocated by an operation, by JMH's own {@code -prof gc}. */
  static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final String PREFIX = "jmh.";

  /**
   * A mean over iterations.
   *
   * @param rawData scores of each fork's measured iterations
   */
  record Score(double score, String scoreUnit, List<List<Double>> rawData) {

    private DoubleSummaryStatistics iterations() {
      return rawData.stream()
          .flatMap(List::stream)
          .mapToDouble(Double::doubleValue)
          .summaryStatistics();
    }
  }

  /**
   * Reads the text of the file.
   *
   * @throws WorkerException if it is not such a file
   */
  static JmhResult of(String json) {
    JmhResult[] all;
    try {
      all = Json.LINES.readValue(json, JmhResult[].class);
    } catch (JsonProcessingException unreadable) {
      throw WorkerException.mismatch(
          "JMH's result cannot be read (%s).", unreadable.getOriginalMessage());
    }
    if (all.length != 1) {
      throw WorkerException.mismatch(
          "JMH's result holds %d benchmarks instead of one.", all.length);
    }
    Score score = all[0].primaryMetric;
    if (!List.of(OPERATIONS, SECONDS).contains(score.scoreUnit)
        || !(score.score > 0)
        || score.iterations().getCount() == 0) {
      throw WorkerException.mismatch(
          "JMH's result has no score in %s or %s: %s.", OPERATIONS, SECONDS, score);
    }
    return all[0];
  }

  private double iterationSeconds() {
    String[] parts = measurementTime.split(" ", -1);
    return Double.parseDouble(parts[0]) / (parts[1].equals("ms") ? 1e3 : 1);
  }

  private boolean oneShot() {
    return primaryMetric.scoreUnit.equals(SECONDS);
  }

  /** Records a second over all threads. */
  double recordsPerSecond(double recordsPerOperation) {
    return oneShot()
        ? recordsPerOperation / primaryMetric.score
        : recordsPerOperation * primaryMetric.score;
  }

  /** The time of all measured iterations together. */
  double measuredSeconds() {
    DoubleSummaryStatistics iterations = primaryMetric.iterations();
    return oneShot() ? iterations.getSum() : iterationSeconds() * iterations.getCount();
  }

  /** The operations of all measured iterations together. */
  long calls() {
    return oneShot()
        ? primaryMetric.iterations().getCount()
        : Math.round(primaryMetric.score * measuredSeconds());
  }

  /** The iterations in words. */
  String iterations() {
    long count = primaryMetric.iterations().getCount();
    return oneShot()
        ? "JMH, %d single shots".formatted(count)
        : String.format(Locale.ROOT, "JMH, %d iterations of %.2f s", count, iterationSeconds());
  }

  /** The metrics of a trial whose operations handle so many records each. */
  Map<String, Metric> metrics(double recordsPerOperation) {
    Map<String, Metric> metrics = new TreeMap<>();
    metrics.put(
        Metric.THROUGHPUT,
        Metric.higherIsBetter(recordsPerSecond(recordsPerOperation), "records/s"));
    DoubleSummaryStatistics iterations = primaryMetric.iterations();
    double spread = 100 * (iterations.getMax() - iterations.getMin()) / primaryMetric.score;
    metrics.put(PREFIX + "iteration-spread", Metric.neutral(spread, "%"));
    secondaryMetrics.forEach(
        (name, value) -> {
          double perRecord = value.score / recordsPerOperation;
          if (!Double.isFinite(value.score)) {
            return;
          }
          switch (name) {
            case CPU -> metrics.put(Metric.CPU, Metric.lowerIsBetter(perRecord, "µs"));
            case ALLOCATED -> metrics.put(Metric.ALLOCATED, Metric.lowerIsBetter(perRecord, "B"));
            default -> metrics.put(PREFIX + name, Metric.neutral(value.score, value.scoreUnit));
          }
        });
    return metrics;
  }
}
