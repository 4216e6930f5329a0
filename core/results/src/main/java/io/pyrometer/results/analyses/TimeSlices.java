package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * One metric of one trial in slices of equal length, from the histograms of each second.
 *
 * @param slices the value in each slice; 0 where there is none
 * @param seconds the length of all slices together
 */
@SuppressWarnings("ArrayRecordComponent") // made here, never compared
record TimeSlices(
    String trial, String metric, boolean throughput, double[] slices, double seconds) {

  /** Slices that neighbouring checkpoints and collections do not tell apart. */
  static final int MAX_SLICES = 60;

  /** A p99 needs ten calls beyond it. */
  private static final long CALLS_FOR_P99 = 1_000;

  long empty() {
    return Arrays.stream(slices).filter(value -> !(value > 0)).count();
  }

  double min() {
    return Arrays.stream(slices).min().orElse(0);
  }

  double max() {
    return Arrays.stream(slices).max().orElse(0);
  }

  /** Calls per second, then p99 of each operation in ms; empty for a trial that is too short. */
  static List<TimeSlices> of(RunRecord run, TrialRecord trial) {
    Path log = run.folder().histogram(trial.id(), trial.attempt());
    List<Latencies.Interval> intervals =
        Files.exists(log) ? Latencies.read(log).intervals() : List.of();
    if (intervals.isEmpty()) {
      return List.of();
    }
    // An interval in which no call ended is not in the log, so slices are laid by time.
    double seconds =
        Math.max(trial.counts().seconds(), intervals.get(intervals.size() - 1).toSeconds());
    double width =
        Math.max(
            1,
            Math.rint(
                Samples.median(
                    intervals.stream()
                        .mapToDouble(i -> i.toSeconds() - i.fromSeconds())
                        .toArray())));
    int whole = (int) Math.rint(seconds / width);
    int together = Math.max(1, (whole + MAX_SLICES - 1) / MAX_SLICES);
    int slices = whole / together;
    if (slices < LinearTrend.LEAST_SLICES) {
      return List.of();
    }
    double length = together * width;
    Map<String, Histogram[]> byOperation = new TreeMap<>();
    for (Latencies.Interval interval : intervals) {
      int slice = (int) ((interval.fromSeconds() + interval.toSeconds()) / 2 / length);
      if (slice < slices) {
        interval
            .byOperation()
            .forEach(
                (operation, histogram) ->
                    byOperation.computeIfAbsent(operation, o -> empty(slices))[slice].add(
                        histogram));
      }
    }
    String name = Rankings.label(trial) + ", block " + (trial.block() + 1);
    double[] calls = new double[slices];
    byOperation
        .values()
        .forEach(of -> Arrays.setAll(calls, i -> calls[i] + of[i].getTotalCount() / length));
    List<TimeSlices> series = new ArrayList<>();
    series.add(new TimeSlices(name, "calls/s", true, calls, slices * length));
    byOperation.forEach(
        (operation, of) ->
            series.add(
                new TimeSlices(
                    name,
                    "p99 " + operation + " [ms]",
                    false,
                    Arrays.stream(of).mapToDouble(TimeSlices::p99).toArray(),
                    slices * length)));
    return series;
  }

  private static Histogram[] empty(int slices) {
    Histogram[] empty = new Histogram[slices];
    Arrays.setAll(
        empty,
        i -> {
          Histogram histogram = new Histogram(3);
          histogram.setAutoResize(true);
          return histogram;
        });
    return empty;
  }

  /** In milliseconds; 0 where there are too few calls. */
  private static double p99(Histogram slice) {
    return slice.getTotalCount() < CALLS_FOR_P99 ? 0 : slice.getValueAtPercentile(99) / 1e6;
  }
}
