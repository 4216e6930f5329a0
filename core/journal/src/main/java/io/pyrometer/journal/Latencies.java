package io.pyrometer.journal;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latency histograms in nanoseconds by operation, interval by interval. They are added, never
 * averaged, and a percentile is told only where at least ten calls lie beyond it.
 *
 * <p>The file of a trial is an HdrHistogram log, version 1.3: one line for each operation and
 * interval, tagged with the operation's name, in the order of time. Other tools of that format open
 * it. The lines of an operation add up to all its calls.
 */
public final class Latencies {
  private static final int BEYOND = 10;
  private static final String TAG = "Tag=";
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: (\\d+\\.\\d+) ");
  private static final Map<LatencyStatistic, Double> PERCENTILES =
      Map.of(
          LatencyStatistic.P50, 50.0,
          LatencyStatistic.P90, 90.0,
          LatencyStatistic.P99, 99.0,
          LatencyStatistic.P999, 99.9);

  private final List<Interval> intervals;

  private Latencies(List<Interval> intervals) {
    this.intervals = intervals;
  }

  /**
   * The latencies of calls that ended in one part of a measurement, compressed: a histogram takes a
   * kilobyte that way, and hundreds in memory, of which a long trial has thousands.
   *
   * @param fromSeconds begin, since the begin of the measurement
   * @param toSeconds end, since the begin of the measurement
   * @param compressed by operation, Base64; an operation of which no call ended is absent
   */
  public record Interval(double fromSeconds, double toSeconds, Map<String, String> compressed) {

    /** The histogram of an operation, decompressed anew at each call. */
    public Optional<Histogram> of(String operation) {
      return Optional.ofNullable(compressed.get(operation)).map(HistogramText::decode);
    }

    private void add(String operation, String histogram) {
      Histogram added = HistogramText.decode(histogram);
      compressed.merge(
          operation,
          histogram,
          (before, same) -> HistogramText.encode(sum(HistogramText.decode(before), added)));
    }
  }

  private static Histogram sum(Histogram into, Histogram added) {
    into.setAutoResize(true);
    into.add(added);
    return into;
  }

  /**
   * Adds the latencies of several agents of one trial. Agents measure at the same time but for
   * milliseconds: an agent's interval is added to that of the agent with the fewest in which its
   * middle lies.
   */
  public static Latencies merged(List<Answer.Finished> agents) {
    List<Interval> merged = new ArrayList<>();
    agents.stream()
        .map(Answer.Finished::intervals)
        .filter(intervals -> !intervals.isEmpty())
        .min(Comparator.comparingInt(List::size))
        .orElse(List.of())
        .forEach(i -> merged.add(new Interval(i.fromSeconds(), i.toSeconds(), new TreeMap<>())));
    for (Answer.Finished agent : agents) {
      for (Answer.Interval interval : agent.intervals()) {
        Interval into = at((interval.fromSeconds() + interval.toSeconds()) / 2, merged);
        interval.histograms().forEach(into::add);
      }
    }
    return new Latencies(List.copyOf(merged));
  }

  private static Interval at(double seconds, List<Interval> intervals) {
    for (Interval interval : intervals) {
      if (seconds < interval.toSeconds()) {
        return interval;
      }
    }
    return intervals.get(intervals.size() - 1);
  }

  /**
   * Reads the log of one trial, interval by interval.
   *
   * @throws RunException if it cannot be read
   */
  public static Latencies read(Path log) {
    if (!Files.exists(log)) {
      throw RunException.of("There are no histograms at %s.", log);
    }
    Map<List<Double>, Interval> intervals = new LinkedHashMap<>();
    forEachLine(
        log,
        (operation, from, to, histogram) ->
            intervals
                .computeIfAbsent(
                    List.of(from, to), times -> new Interval(from, to, new TreeMap<>()))
                .add(operation, histogram));
    return new Latencies(List.copyOf(intervals.values()));
  }

  /**
   * How often each latency was seen, of all intervals together: what a report needs of a log, at a
   * fraction of the cost of {@link #read}.
   *
   * @return by operation, without those that no call ended of; empty where there is no such file
   * @throws RunException if it cannot be read
   */
  public static Map<String, LatencyCounts> counts(Path log, LatencyCounts.Timing timing) {
    Map<String, List<LatencyCounts>> ofIntervals = new TreeMap<>();
    if (!Files.exists(log)) {
      return Map.of();
    }
    forEachLine(
        log,
        (operation, from, to, histogram) ->
            ListsByKey.add(ofIntervals, operation, counts(histogram, timing)));
    Map<String, LatencyCounts> counts = new TreeMap<>();
    ofIntervals.forEach(
        (operation, intervals) -> counts.put(operation, LatencyCounts.merged(intervals)));
    counts.values().removeIf(merged -> merged.count() == 0);
    return counts;
  }

  private static LatencyCounts counts(String base64, LatencyCounts.Timing timing) {
    LongStream.Builder values = LongStream.builder();
    LongStream.Builder times = LongStream.builder();
    for (HistogramIterationValue bucket : HistogramText.decode(base64).recordedValues()) {
      values.add(bucket.getValueIteratedTo());
      times.add(bucket.getCountAddedInThisIterationStep());
    }
    return LatencyCounts.ofOrdered(values.build().toArray(), times.build().toArray(), timing);
  }

  /**
   * When the measurement of a log began, by the coordinator's clock, to the millisecond.
   *
   * @return empty where there is no such file or it does not tell
   */
  public static Optional<Instant> begun(Path log) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .takeWhile(line -> !line.startsWith(TAG))
          .map(BASE_TIME::matcher)
          .filter(Matcher::lookingAt)
          .findFirst()
          .map(base -> Instant.ofEpochMilli(Math.round(Double.parseDouble(base.group(1)) * 1e3)));
    } catch (IOException | UncheckedIOException absent) {
      return Optional.empty();
    }
  }

  @FunctionalInterface
  private interface LineReader {
    void read(String operation, double from, double to, String histogram);
  }

  /** The library's own reader makes a scanner for each file, which is slow over thousands. */
  private static void forEachLine(Path log, LineReader reader) {
    try {
      for (String line : Files.readAllLines(log)) {
        if (line.startsWith(TAG)) {
          // Tag=operation,start,length,highest,histogram
          String[] columns = line.substring(TAG.length()).split(",", -1);
          double from = Double.parseDouble(columns[1]);
          double to = from + Double.parseDouble(columns[2]);
          reader.read(columns[0], from, to, columns[4]);
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      throw RunException.of(
          Messages.format("journal.histograms-unreadable"), log, unreadable.getMessage());
    }
  }

  /**
   * Writes the log of a trial.
   *
   * @param startMillis when its measurement began, since 1970
   * @throws RunException if it cannot be written
   */
  public void write(Path log, long startMillis) {
    try (PrintStream out = new PrintStream(log.toFile(), "UTF-8")) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputComment(
          "[Pyrometer schema 2; nanoseconds; one line for each operation and interval]");
      writer.outputLogFormatVersion();
      writer.outputStartTime(startMillis);
      writer.setBaseTime(startMillis);
      writer.outputBaseTime(startMillis);
      writer.outputLegend();
      for (Interval interval : intervals) {
        interval
            .compressed()
            .forEach(
                (operation, text) -> {
                  Histogram histogram = HistogramText.decode(text);
                  histogram.setTag(operation);
                  histogram.setStartTimeStamp(millis(startMillis, interval.fromSeconds()));
                  histogram.setEndTimeStamp(millis(startMillis, interval.toSeconds()));
                  writer.outputIntervalHistogram(histogram);
                });
      }
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.histograms-unwritable"), log, failure.getMessage(), failure);
    }
  }

  private static long millis(long startMillis, double seconds) {
    return startMillis + Math.round(seconds * 1e3);
  }

  /** The latencies from the first interval to the last. */
  public List<Interval> intervals() {
    return intervals;
  }

  /** All intervals added up, by operation. */
  public Map<String, Histogram> byOperation() {
    return between(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** Sum, by operation, of the intervals whose middle lies in a part of the measurement. */
  public Map<String, Histogram> between(double fromSeconds, double toSeconds) {
    Map<String, Histogram> sums = new TreeMap<>();
    for (Interval interval : intervals) {
      double middle = (interval.fromSeconds() + interval.toSeconds()) / 2;
      if (middle >= fromSeconds && middle < toSeconds) {
        interval
            .compressed()
            .forEach(
                (operation, text) ->
                    sums.merge(operation, HistogramText.decode(text), Latencies::sum));
      }
    }
    return sums;
  }

  /** The percentiles of all intervals together, by operation. */
  public Map<String, Latency> summary() {
    return summary(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** The percentiles of the intervals whose middle lies in a part of the measurement. */
  public Map<String, Latency> summary(double fromSeconds, double toSeconds) {
    Map<String, Latency> summary = new TreeMap<>();
    between(fromSeconds, toSeconds)
        .forEach((operation, histogram) -> summary.put(operation, of(histogram)));
    summary.values().removeIf(latency -> latency.count() == 0);
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
