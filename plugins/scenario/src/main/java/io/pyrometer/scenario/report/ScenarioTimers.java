package io.pyrometer.scenario.report;

import io.pyrometer.journal.Latencies;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.scenario.report.PublishedTimers.Published;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The timers of a scenario as a table, beside those that were published. */
final class ScenarioTimers {
  /** A timer of this name counts answers instead of time. */
  private static final String COUNTS = "ExpectedResponses";

  private ScenarioTimers() {}

  /** The timers of several trials, added up. */
  static Map<String, Histogram> addedUp(List<Path> logs) {
    Map<String, Histogram> timers = new TreeMap<>();
    for (Path log : logs) {
      Latencies.read(log)
          .byOperation()
          .forEach(
              (name, histogram) ->
                  timers.merge(
                      name,
                      histogram,
                      (sum, more) -> {
                        sum.add(more);
                        return sum;
                      }));
    }
    return timers;
  }

  /**
   * All timers in milliseconds, those that were published first and with their figures in brackets.
   *
   * @param seconds that the trials measured together
   */
  static Table table(
      Map<String, Histogram> timers, Map<String, Published> published, double seconds) {
    Set<String> names = new LinkedHashSet<>(published.keySet());
    names.addAll(timers.keySet());
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      Optional<Histogram> ours = Optional.ofNullable(timers.get(name));
      Optional<Published> theirs = Optional.ofNullable(published.get(name));
      double unit = name.endsWith(COUNTS) ? 1 : 1e6;
      rows.add(
          List.of(
              name,
              ours.map(h -> Numbers.whole((double) h.getTotalCount())).orElse("0")
                  + bracket(theirs.map(Published::count)),
              ours.map(h -> Numbers.fixed(h.getTotalCount() / Math.max(seconds, 1e-9), 1))
                      .orElse(Table.ABSENT)
                  + bracket(theirs.map(Published::rate)),
              ours.map(h -> figure(h.getMean() / unit)).orElse(Table.ABSENT)
                  + bracket(theirs.map(Published::average)),
              ours.map(h -> figure(h.getMinValue() / unit)).orElse(Table.ABSENT)
                  + bracket(theirs.map(Published::minimum)),
              ours.map(h -> figure(h.getMaxValue() / unit)).orElse(Table.ABSENT)
                  + bracket(theirs.map(Published::maximum)),
              percentile(ours, 50, unit),
              percentile(ours, 99, unit),
              percentile(ours, 99.9, unit)));
    }
    return Table.of(
            List.of("timer", "count", "rate/s", "avg", "min", "max", "p50", "p99", "p99.9"),
            1,
            rows)
        .withAbsent(
            "nothing was timed, or too few times for this percentile: ten must lie beyond it");
  }

  private static String bracket(Optional<Double> published) {
    return published.map(value -> " (" + figure(value) + ")").orElse("");
  }

  private static String figure(double value) {
    return Numbers.shorten(value);
  }

  private static String percentile(Optional<Histogram> histogram, double percent, double unit) {
    return histogram
        .filter(h -> h.getTotalCount() * (100 - percent) / 100 >= 10)
        .map(h -> figure(h.getValueAtPercentile(percent) / unit))
        .orElse(Table.ABSENT);
  }
}
