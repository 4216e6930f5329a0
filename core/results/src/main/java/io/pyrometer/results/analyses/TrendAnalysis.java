package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Changes of throughput and p99 during one long measurement: a line through slices of time. */
public final class TrendAnalysis extends WholeRunAnalysis {
  /** Confidence of all intervals of a run together (Bonferroni). */
  private static final double TOGETHER = 0.95;

  /** Slices that neighbouring checkpoints and collections do not tell apart. */
  private static final int MAX_SLICES = 60;

  /** A p99 needs ten calls beyond it. */
  private static final long CALLS_FOR_P99 = 1_000;

  public TrendAnalysis() {
    super("trend", "change over time", "");
  }

  /**
   * One metric of one trial in slices of equal length.
   *
   * @param slices the value in each slice; 0 where there is none
   * @param seconds the length of all slices together
   */
  private record Series(
      String trial, String metric, boolean throughput, List<Double> slices, double seconds) {
    double[] values() {
      return slices.stream().mapToDouble(Double::doubleValue).toArray();
    }

    long empty() {
      return slices.stream().filter(value -> !(value > 0)).count();
    }

    /** End against begin; empty where a slice has no value. */
    Optional<Estimate> change(double confidence) {
      return empty() > 0
          ? Optional.empty()
          : Optional.of(LinearTrend.endToBegin(values(), confidence));
    }
  }

  /** A series and the change of its line. */
  private record Line(Series of, Optional<Estimate> change) {
    /** The line's value at its begin (−0.5) or end (0.5). */
    Optional<Double> at(double place) {
      return change.map(
          c -> Math.exp(Samples.mean(Samples.ln(of.values()))) * Math.pow(c.value(), place));
    }

    /** A throughput of 0 is a value, a p99 of 0 is none. */
    Optional<Double> slice(Function<List<Double>, Double> which) {
      return Optional.of(which.apply(of.slices()))
          .filter(value -> change.isPresent() || of.throughput());
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<Series> series =
        run.counting().stream().flatMap(trial -> series(run, trial).stream()).toList();
    if (series.isEmpty()) {
      throw new NoResult("trend.no-trial");
    }
    // All series are one family: the more there are, the wider each interval.
    long judged = series.stream().filter(each -> each.empty() == 0).count();
    double confidence = 1 - (1 - TOGETHER) / Math.max(1, judged);
    List<Line> lines =
        series.stream().map(each -> new Line(each, each.change(confidence))).toList();
    MetricTable<Line> table =
        new MetricTable<Line>(
                "no call ended in a slice, or too few for a p99: ten must lie beyond it")
            .text("trial", line -> line.of().trial())
            .text("metric", line -> line.of().metric())
            .count("slices", line -> line.of().slices().size())
            .number("begin", line -> line.at(-0.5))
            .number("end", line -> line.at(0.5))
            .formatted(
                "end / begin [all at 95 %]",
                line -> line.change().map(Numbers::ratio).orElse(Table.ABSENT))
            .number("lowest slice", line -> line.slice(Collections::min))
            .number("highest slice", line -> line.slice(Collections::max));
    return StudyResult.of(
        findings(lines),
        Section.of(
            "trend",
            "Change over time",
            "The measured part of each trial in up to %d slices of equal length. Change: the end of the straight line through ln y against its begin. The intervals account for autocorrelation and hold together at 95 %%."
                .formatted(MAX_SLICES),
            table.figure("One row per trial and metric", lines)));
  }

  /** Changes and standstills, then all series that do not change in one. */
  private static List<Finding> findings(List<Line> lines) {
    List<Finding> findings = new ArrayList<>();
    List<Estimate> steady = new ArrayList<>();
    for (Line line : lines) {
      Series of = line.of();
      if (line.change().isEmpty() && of.throughput()) {
        findings.add(
            Finding.warning("trend.standstill")
                .with("trial", Value.name(of.trial()))
                .with("empty", Value.count(of.empty()))
                .with("slices", Value.count(of.slices().size())));
      }
      line.change().filter(change -> change.contains(1)).ifPresent(steady::add);
      line.change()
          .filter(change -> !change.contains(1))
          .ifPresent(
              change ->
                  findings.add(
                      ((change.value() < 1) == of.throughput()
                              ? Finding.warning("trend.worse")
                              : Finding.notice("trend.better"))
                          .with("series", Value.name(of.trial() + ": " + of.metric()))
                          .with("change", Value.change(change.value()))
                          .with("length", Value.seconds(of.seconds()))
                          .with("end / begin", change)));
    }
    if (!steady.isEmpty()) {
      double low = steady.stream().mapToDouble(Estimate::low).min().orElse(1);
      double high = steady.stream().mapToDouble(Estimate::high).max().orElse(1);
      findings.add(
          Finding.info("trend.steady")
              .with("series", Value.count(steady.size()))
              .with("low", Value.change(low))
              .with("high", Value.change(high)));
    }
    return findings;
  }

  /** Calls per second, then p99 of each operation in ms; empty for a trial that is too short. */
  private static List<Series> series(RunRecord run, TrialRecord trial) {
    Path log = run.folder().histogram(trial.id(), trial.attempt());
    if (!Files.exists(log)) {
      return List.of();
    }
    Latencies latencies = Latencies.read(log);
    List<Latencies.Interval> intervals = latencies.intervals();
    if (intervals.isEmpty()) {
      return List.of();
    }
    // An interval in which no call ended is not in the log, so slices are laid by time.
    double seconds =
        Math.max(trial.counts().seconds(), intervals.get(intervals.size() - 1).toSeconds());
    double[] widths =
        intervals.stream().mapToDouble(i -> i.toSeconds() - i.fromSeconds()).toArray();
    double width = Math.max(1, Math.rint(Samples.median(widths)));
    int whole = (int) Math.rint(seconds / width);
    int together = Math.max(1, (whole + MAX_SLICES - 1) / MAX_SLICES);
    int slices = whole / together;
    if (slices < LinearTrend.LEAST_SLICES) {
      return List.of();
    }
    double length = together * width;
    List<Map<String, Histogram>> parts =
        IntStream.range(0, slices)
            .mapToObj(i -> latencies.between(i * length, (i + 1) * length))
            .toList();
    String name = trial.label() + ", block " + (trial.block() + 1);
    List<Double> calls =
        parts.stream()
            .map(of -> of.values().stream().mapToLong(Histogram::getTotalCount).sum() / length)
            .toList();
    List<Series> series = new ArrayList<>();
    series.add(new Series(name, "calls/s", true, calls, slices * length));
    parts.stream()
        .flatMap(part -> part.keySet().stream())
        .distinct()
        .sorted()
        .forEach(
            operation ->
                series.add(
                    new Series(
                        name,
                        "p99 " + operation + " [ms]",
                        false,
                        parts.stream()
                            .map(part -> p99(part.getOrDefault(operation, new Histogram(3))))
                            .toList(),
                        slices * length)));
    return series;
  }

  /** In milliseconds; 0 where there are too few calls. */
  private static double p99(Histogram slice) {
    return slice.getTotalCount() < CALLS_FOR_P99 ? 0 : slice.getValueAtPercentile(99) / 1e6;
  }
}
