package io.pyrometer.journal;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Latencies of one trial in nanoseconds by operation, interval by interval. They are added, never
 * averaged.
 *
 * <p>The file of a trial is an HdrHistogram log, version 1.3: one line for each operation, interval
 * and agent, tagged with the operation's name, in the order of time, with the histogram as the
 * agent sent it. Other tools of that format open it. The lines of an operation add up to all its
 * calls.
 */
public final class Latencies {
  private static final String TAG = "Tag=";
  private static final Pattern BASE_TIME = Pattern.compile("#\\[BaseTime: (\\d+\\.\\d+) ");

  /** In the order of time; of agents that measure differently long intervals the longer first. */
  private static final Comparator<Line> ORDER =
      Comparator.comparingDouble(Line::from)
          .thenComparing(Line::to, Comparator.reverseOrder())
          .thenComparing(Line::operation);

  private final List<Interval> intervals;

  private Latencies(List<Interval> intervals) {
    this.intervals = intervals;
  }

  /**
   * The latencies of calls that ended in one part of a measurement.
   *
   * @param fromSeconds begin, since the begin of the measurement
   * @param toSeconds end, since the begin of the measurement
   * @param byOperation an operation of which no call ended is absent
   */
  public record Interval(
      double fromSeconds, double toSeconds, Map<String, LatencyCounts> byOperation) {
    private boolean holds(Line line) {
      return (line.from + line.to) / 2 < toSeconds;
    }
  }

  /** A line of a log; the histogram is encoded. */
  private record Line(String operation, double from, double to, String histogram) {
    Map.Entry<String, LatencyCounts> ofOperation() {
      return Map.entry(operation, counts());
    }

    LatencyCounts counts() {
      LongStream.Builder values = LongStream.builder();
      LongStream.Builder times = LongStream.builder();
      for (HistogramIterationValue bucket : HistogramText.decode(histogram).recordedValues()) {
        values.add(bucket.getValueIteratedTo());
        times.add(bucket.getCountAddedInThisIterationStep());
      }
      return new LatencyCounts(values.build().toArray(), times.build().toArray());
    }
  }

  /**
   * Reads the log of one trial, interval by interval. Agents measure at the same time but for
   * milliseconds: a line belongs to the interval before it if its middle lies there.
   *
   * @throws RunException if it cannot be read
   */
  public static Latencies read(Path log) {
    try {
      List<Interval> intervals = new ArrayList<>();
      for (Line line : lines(log)) {
        int last = intervals.size() - 1;
        if (last < 0 || !intervals.get(last).holds(line)) {
          intervals.add(new Interval(line.from, line.to, new TreeMap<>()));
          last++;
        }
        intervals
            .get(last)
            .byOperation
            .merge(line.operation, line.counts(), (a, b) -> LatencyCounts.merged(List.of(a, b)));
      }
      return new Latencies(List.copyOf(intervals));
    } catch (IOException | RuntimeException unreadable) {
      throw unreadable(log, unreadable);
    }
  }

  /**
   * Calls of all intervals of a log together, by operation.
   *
   * @return without those that no call ended of; empty where there is no such file
   * @throws RunException if it cannot be read
   */
  public static Map<String, LatencyCounts> totals(Path log) {
    try {
      return Files.exists(log) ? sum(lines(log).stream().map(Line::ofOperation)) : Map.of();
    } catch (IOException | RuntimeException unreadable) {
      throw unreadable(log, unreadable);
    }
  }

  /** Calls of all intervals of some agents together, by operation. */
  public static Map<String, LatencyCounts> totals(List<Answer.Finished> agents) {
    return sum(
        lines(agents.stream().flatMap(agent -> agent.intervals().stream())).stream()
            .map(Line::ofOperation));
  }

  private static Map<String, LatencyCounts> sum(Stream<Map.Entry<String, LatencyCounts>> parts) {
    Map<String, LatencyCounts> sums = new TreeMap<>();
    parts
        .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())))
        .forEach((operation, all) -> sums.put(operation, LatencyCounts.merged(all)));
    sums.values().removeIf(all -> all.count() == 0);
    return sums;
  }

  private static RunException unreadable(Path log, Exception cause) {
    return RunException.of(
        Messages.format("journal.histograms-unreadable"), log, cause.getMessage());
  }

  /** The library's own reader makes a scanner for each file, which is slow over thousands. */
  private static List<Line> lines(Path log) throws IOException {
    List<Line> lines = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith(TAG)) {
        // Tag=operation,start,length,highest,histogram
        String[] columns = line.substring(TAG.length()).split(",", -1);
        double from = Double.parseDouble(columns[1]);
        double to = from + Double.parseDouble(columns[2]);
        lines.add(new Line(columns[0], from, to, columns[4]));
      }
    }
    return lines;
  }

  private static List<Line> lines(Stream<Answer.Interval> intervals) {
    return intervals
        .flatMap(
            each ->
                each.histograms().entrySet().stream()
                    .map(
                        of ->
                            new Line(
                                of.getKey(), each.fromSeconds(), each.toSeconds(), of.getValue())))
        .sorted(ORDER)
        .toList();
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

  /**
   * Writes the log of a trial.
   *
   * @param startMillis when its measurement began, since 1970
   * @param intervals of all agents
   * @throws RunException if it cannot be written
   */
  public static void write(Path log, long startMillis, Stream<Answer.Interval> intervals) {
    try (PrintStream out = new PrintStream(log.toFile(), "UTF-8")) {
      HistogramLogWriter header = new HistogramLogWriter(out);
      header.outputComment(
          "[Pyrometer schema 2; nanoseconds; one line for each operation, interval and agent]");
      header.outputLogFormatVersion();
      header.outputStartTime(startMillis);
      header.outputBaseTime(startMillis);
      header.outputLegend();
      for (Line line : lines(intervals)) {
        out.printf(
            Locale.ROOT,
            "%s%s,%.3f,%.3f,%s%n",
            TAG,
            line.operation,
            line.from,
            line.to - line.from,
            line.histogram);
      }
      if (out.checkError()) {
        throw new IOException("the disk did not take all of it");
      }
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("journal.histograms-unwritable"), log, failure.getMessage(), failure);
    }
  }

  /** The latencies from the first interval to the last. */
  public List<Interval> intervals() {
    return intervals;
  }

  /** Sum, by operation, of the intervals whose middle lies in a part of the measurement. */
  public Map<String, LatencyCounts> between(double fromSeconds, double toSeconds) {
    return sum(
        intervals.stream()
            .filter(
                each -> {
                  double middle = (each.fromSeconds + each.toSeconds) / 2;
                  return middle >= fromSeconds && middle < toSeconds;
                })
            .flatMap(each -> each.byOperation.entrySet().stream()));
  }

  /** Statistics of every operation as metrics of a trial, those with enough calls. */
  public static Map<String, Metric> metrics(Map<String, LatencyCounts> byOperation) {
    Map<String, Metric> metrics = new TreeMap<>();
    byOperation.forEach(
        (operation, counts) -> {
          for (LatencyStatistic statistic : LatencyStatistic.values()) {
            statistic
                .of(counts)
                .ifPresent(
                    micros ->
                        metrics.put(
                            Metric.latency(operation, statistic),
                            Metric.lowerIsBetter(micros, "µs")));
          }
        });
    return metrics;
  }
}
