package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes of throughput and p99 during one long measurement: a line through slices of time. */
public final class TrendAnalysis implements Analysis {
  /** Of all intervals of a run together (Bonferroni). */
  private static final double TOGETHER = 0.95;

  /**
   * A series and its line.
   *
   * @param change end against begin; empty where a slice has no value
   */
  private record Line(TimeSlices of, Optional<Estimate> change) {

    /** The line's value at its begin or end. */
    Optional<Double> at(boolean end) {
      double middle = Math.exp(Samples.mean(Samples.ln(of.slices())));
      return change.map(c -> end ? middle * Math.sqrt(c.value()) : middle / Math.sqrt(c.value()));
    }

    /** A throughput of 0 is a value, a p99 of 0 is none. */
    Optional<Double> shown(double value) {
      return change.isPresent() || of.throughput() ? Optional.of(value) : Optional.empty();
    }
  }

  @Override
  public String id() {
    return "trend";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "change over time", "", () -> analyze(run)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TimeSlices> series =
        run.counting().stream().flatMap(trial -> TimeSlices.of(run, trial).stream()).toList();
    if (series.isEmpty()) {
      throw new BadDataException(
          "No trial was measured for long enough to see a change over time: that takes %d seconds or more; set 'measure'."
              .formatted(LinearTrend.LEAST_SLICES));
    }
    // All series are one family: the more there are, the wider each interval.
    long judged = series.stream().filter(each -> each.empty() == 0).count();
    double confidence = 1 - (1 - TOGETHER) / Math.max(1, judged);
    List<Line> lines = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (TimeSlices each : series) {
      if (each.empty() == 0) {
        Estimate change = LinearTrend.endToBegin(each.slices(), confidence);
        lines.add(new Line(each, Optional.of(change)));
        findings.add(finding(each, change));
      } else {
        lines.add(new Line(each, Optional.empty()));
        if (each.throughput()) {
          findings.add(standstill(each));
        }
      }
    }
    MetricTable<Line> table =
        new MetricTable<Line>(
                "no call ended in a slice, or too few for a p99: ten must lie beyond it")
            .text("trial", line -> line.of().trial())
            .text("metric", line -> line.of().metric())
            .formatted("slices", line -> String.valueOf(line.of().slices().length))
            .number("begin", line -> line.at(false))
            .number("end", line -> line.at(true))
            .formatted(
                "change [all at 95 %]",
                line -> line.change().map(TrendAnalysis::interval).orElse(Table.ABSENT))
            .number("lowest slice", line -> line.shown(line.of().min()))
            .number("highest slice", line -> line.shown(line.of().max()));
    return StudyResult.of(
        findings,
        new Section(
            "trend",
            "Change over time",
            "The measured part of each trial in up to %d slices of equal length. Change: the end of the straight line through ln y against its begin. The interval accounts for the autocorrelation of neighbouring slices, so that a recurring checkpoint or collection is no change, and for the number of series: all intervals together hold in 95 of 100 runs."
                .formatted(TimeSlices.MAX_SLICES),
            List.of(table.figure("One row per trial and metric", lines))));
  }

  private static String interval(Estimate change) {
    return "%s [%s, %s]"
        .formatted(
            Figures.change(change.value()),
            Figures.change(change.low()),
            Figures.change(change.high()));
  }

  private static Finding standstill(TimeSlices of) {
    return finding(
        Finding.Severity.WARNING,
        "%s: no call ended in %d of %d slices of %s s, so the throughput stood still."
            .formatted(
                of.trial(),
                of.empty(),
                of.slices().length,
                Numbers.shorten(of.seconds() / of.slices().length)),
        Map.of());
  }

  private static Finding finding(TimeSlices of, Estimate change) {
    String what = of.trial() + ": " + of.metric().replace(" [ms]", "");
    String seconds = Numbers.shorten(of.seconds());
    String low = Figures.change(change.low());
    String high = Figures.change(change.high());
    if (change.contains(1)) {
      return finding(
          Finding.Severity.INFO,
          "%s shows no change over %s s; a change below %s or above %s is excluded."
              .formatted(what, seconds, low, high),
          Map.of(of.metric(), change));
    }
    boolean worse = (change.value() < 1) == of.throughput();
    return finding(
        worse ? Finding.Severity.WARNING : Finding.Severity.NOTICE,
        "%s changes by %s over %s s (interval %s to %s, all figures together at 95 %%)."
            .formatted(what, Figures.change(change.value()), seconds, low, high),
        Map.of(of.metric(), change));
  }

  private static Finding finding(
      Finding.Severity severity, String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Finding.Kind.STEADY_STATE,
        severity,
        sentence,
        estimates,
        "A longer measurement, or one whose warm-up is longer if the change is at its begin.");
  }
}
