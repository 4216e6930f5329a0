package io.pyrometer.journal;

import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latency histograms in nanoseconds by operation. They are added, never averaged, and a percentile
 * is told only where at least ten calls lie beyond it.
 */
public record Latencies(Map<String, Histogram> byOperation) {
  private static final int BEYOND = 10;
  private static final int DIGITS = 3;
  private static final String TAG = "Tag=";
  private static final Map<LatencyStatistic, Double> PERCENTILES =
      Map.of(
          LatencyStatistic.P50, 50.0,
          LatencyStatistic.P90, 90.0,
          LatencyStatistic.P99, 99.0,
          LatencyStatistic.P999, 99.9);

  public static Latencies merged(List<Answer.Finished> agents) {
    Latencies merged = new Latencies(new TreeMap<>());
    agents.forEach(agent -> agent.histograms().forEach((op, text) -> merged.add(op, decode(text))));
    return merged;
  }

  /** Reads and adds the logs of several trials; those that are not there are passed over. */
  public static Latencies read(List<Path> logs) {
    Latencies merged = new Latencies(new TreeMap<>());
    for (Path log : logs) {
      if (Files.exists(log)) {
        merged.addAll(log);
      }
    }
    return merged;
  }

  /** The library's own reader makes a scanner for each file, which is slow over thousands. */
  private void addAll(Path log) {
    try {
      for (String line : Files.readAllLines(log)) {
        if (line.startsWith(TAG)) {
          String operation = line.substring(TAG.length(), line.indexOf(','));
          add(operation, decode(line.substring(line.lastIndexOf(',') + 1)));
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      throw new RunException(
          "The histograms in %s cannot be read: %s.".formatted(log, unreadable.getMessage()));
    }
  }

  private void add(String operation, Histogram histogram) {
    byOperation.computeIfAbsent(operation, op -> autoResizing()).add(histogram);
  }

  private static Histogram autoResizing() {
    return new Histogram(DIGITS);
  }

  private static Histogram decode(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    } catch (DataFormatException broken) {
      throw new IllegalArgumentException("a histogram is broken", broken);
    }
  }

  /** Writes one line an operation, tagged with its name. */
  public void write(Path log, long startMillis, long endMillis) {
    try (java.io.PrintStream out = new java.io.PrintStream(log.toFile(), "UTF-8")) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputComment("[Pyrometer schema 1; nanoseconds; one line an operation]");
      writer.outputLogFormatVersion();
      writer.outputLegend();
      byOperation.forEach(
          (operation, histogram) -> {
            histogram.setTag(operation);
            histogram.setStartTimeStamp(startMillis);
            histogram.setEndTimeStamp(endMillis);
            writer.outputIntervalHistogram(histogram);
          });
    } catch (IOException failure) {
      throw new RunException(
          "The histograms could not be written to %s (%s); make room on the disk and resume the run."
              .formatted(log, failure.getMessage()),
          failure);
    }
  }

  public Map<String, Latency> summary() {
    Map<String, Latency> summary = new TreeMap<>();
    byOperation.forEach(
        (operation, histogram) -> {
          if (histogram.getTotalCount() > 0) {
            summary.put(operation, of(histogram));
          }
        });
    return summary;
  }

  /** The percentiles of every operation as metrics of a trial, those with enough calls. */
  public Map<String, Metric> metrics() {
    Map<String, Metric> metrics = new TreeMap<>();
    summary()
        .forEach(
            (operation, latency) ->
                latency
                    .statistics()
                    .forEach(
                        (statistic, micros) ->
                            metrics.put(
                                Metric.latency(operation, statistic),
                                Metric.lowerIsBetter(micros, "µs"))));
    return metrics;
  }

  /**
   * The latency of one operation in microseconds.
   *
   * @param count of calls
   * @param statistics mean, maximum, and every percentile that enough calls lie beyond
   */
  public record Latency(long count, Map<LatencyStatistic, Double> statistics) {
    public Optional<Double> of(LatencyStatistic statistic) {
      return Optional.ofNullable(statistics.get(statistic));
    }
  }

  private static Latency of(Histogram histogram) {
    Map<LatencyStatistic, Double> statistics = new EnumMap<>(LatencyStatistic.class);
    statistics.put(LatencyStatistic.MEAN, histogram.getMean() / 1e3);
    statistics.put(LatencyStatistic.MAX, histogram.getMaxValue() / 1e3);
    PERCENTILES.forEach(
        (statistic, percent) ->
            percentile(histogram, percent).ifPresent(value -> statistics.put(statistic, value)));
    return new Latency(histogram.getTotalCount(), statistics);
  }

  private static Optional<Double> percentile(Histogram histogram, double percent) {
    boolean enough = histogram.getTotalCount() * (100 - percent) / 100 >= BEYOND - 1e-6;
    return enough ? Optional.of(histogram.getValueAtPercentile(percent) / 1e3) : Optional.empty();
  }
}
