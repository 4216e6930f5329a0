package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.experiment.Analysis;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Whether throughput or p99 change over one long measurement, from the histograms that each trial
 * keeps for each second: slices of equal length, and a line through them.
 */
final class RunTrend {
  private static final double CONFIDENCE = 0.95;

  /** Slices that neighbouring checkpoints and collections do not tell apart. */
  private static final int MOST_SLICES = 60;

  /** A p99 needs ten calls beyond it. */
  private static final long CALLS_FOR_P99 = 1_000;

  private final RunRecord run;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  private RunTrend(RunRecord run) {
    this.run = run;
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            Analysis.TREND.word(),
            "",
            "change over time",
            "",
            true,
            RunAnalyses.studied(() -> new RunTrend(run).studied())));
  }

  private StudyResult studied() {
    for (TrialRecord trial : run.counting()) {
      add(trial);
    }
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No trial was measured for long enough to see a change over time: that takes %d seconds or more; set 'measure'."
              .formatted(LinearTrend.LEAST_SLICES));
    }
    Section section =
        new Section(
            "trend",
            "Change over time",
            "The measured part of each trial in up to %d slices of equal length. Change: the end of the straight line through ln y against its begin; its interval counts how much neighbouring slices resemble each other, so that a checkpoint or a collection that comes again and again is no change."
                .formatted(MOST_SLICES),
            List.of(
                Exhibit.of(
                    "One row a trial and figure",
                    Table.ofWords(
                            List.of(
                                "trial",
                                "figure",
                                "slices",
                                "begin",
                                "end",
                                "change [95 %]",
                                "lowest slice",
                                "highest slice"),
                            rows)
                        .withAbsent(
                            "too few calls in a slice for a p99: ten must lie beyond it"))));
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private void add(TrialRecord trial) {
    List<Latencies.Interval> seconds =
        run.folder().histogram(trial.id(), trial.attempt()).toFile().exists()
            ? Latencies.read(run.folder().histogram(trial.id(), trial.attempt())).intervals()
            : List.of();
    if (seconds.size() < LinearTrend.LEAST_SLICES) {
      return;
    }
    int each = (seconds.size() + MOST_SLICES - 1) / MOST_SLICES;
    List<List<Latencies.Interval>> slices = new ArrayList<>();
    for (int from = 0; from + each <= seconds.size(); from += each) {
      slices.add(seconds.subList(from, from + each));
    }
    if (slices.size() < LinearTrend.LEAST_SLICES) {
      return;
    }
    String name = Rankings.label(trial) + ", block " + (trial.block() + 1);
    double length = slices.get(0).get(each - 1).toSeconds() - slices.get(0).get(0).fromSeconds();
    boolean rate = OfferedRate.of(trial) > 0;
    add(
        name,
        rate ? "calls/s (offered at a rate)" : "calls/s",
        slices.stream().mapToDouble(slice -> calls(slice) / length).toArray(),
        seconds.get(seconds.size() - 1).toSeconds(),
        1);
    TreeSet<String> operations = new TreeSet<>();
    seconds.forEach(second -> operations.addAll(second.byOperation().keySet()));
    for (String operation : operations) {
      add(
          name,
          "p99 " + operation + " [ms]",
          slices.stream().mapToDouble(slice -> p99(slice, operation)).toArray(),
          seconds.get(seconds.size() - 1).toSeconds(),
          -1);
    }
  }

  /**
   * @param better 1 where more is better, −1 where less is
   */
  private void add(String name, String figure, double[] slices, double seconds, int better) {
    if (Arrays.stream(slices).anyMatch(value -> !(value > 0))) {
      boolean none = figure.startsWith("calls");
      rows.add(
          List.of(
              name,
              figure,
              String.valueOf(slices.length),
              none ? "0" : Table.ABSENT,
              Table.ABSENT,
              none ? "stands still in a slice" : Table.ABSENT,
              Table.ABSENT,
              Table.ABSENT));
      if (none) {
        findings.add(
            finding(
                Finding.Severity.WARNING,
                "%s: no call ended in %d of %d slices of %s s, so the throughput stood still."
                    .formatted(
                        name,
                        Arrays.stream(slices).filter(value -> !(value > 0)).count(),
                        slices.length,
                        Numbers.shorten(seconds / slices.length)),
                Map.of()));
      }
      return;
    }
    Estimate change = LinearTrend.endToBegin(slices, CONFIDENCE);
    double middle = Math.exp(Arrays.stream(slices).map(Math::log).average().orElse(0));
    rows.add(
        List.of(
            name,
            figure,
            String.valueOf(slices.length),
            Numbers.shorten(middle / Math.sqrt(change.value())),
            Numbers.shorten(middle * Math.sqrt(change.value())),
            "%s [%s, %s]"
                .formatted(
                    Figures.change(change.value()),
                    Figures.change(change.low()),
                    Figures.change(change.high())),
            Numbers.shorten(Arrays.stream(slices).min().orElse(0)),
            Numbers.shorten(Arrays.stream(slices).max().orElse(0))));
    String of = name + ": " + figure.replaceAll(" [(\\[].*", "");
    if (change.contains(1)) {
      findings.add(
          finding(
              Finding.Severity.INFO,
              "%s shows no change over %s s; what is excluded is a change below %s or above %s."
                  .formatted(
                      of,
                      Numbers.shorten(seconds),
                      Figures.change(change.low()),
                      Figures.change(change.high())),
              Map.of(figure, change)));
    } else {
      boolean worse = (change.value() < 1) == (better > 0);
      findings.add(
          finding(
              worse ? Finding.Severity.WARNING : Finding.Severity.NOTICE,
              "%s changes by %s over %s s (95 %% interval %s to %s)."
                  .formatted(
                      of,
                      Figures.change(change.value()),
                      Numbers.shorten(seconds),
                      Figures.change(change.low()),
                      Figures.change(change.high())),
              Map.of(figure, change)));
    }
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

  private static double calls(List<Latencies.Interval> slice) {
    return slice.stream()
        .flatMap(second -> second.byOperation().values().stream())
        .mapToLong(Histogram::getTotalCount)
        .sum();
  }

  /** In milliseconds; 0 where there are too few calls. */
  private static double p99(List<Latencies.Interval> slice, String operation) {
    Histogram all = new Histogram(3);
    all.setAutoResize(true);
    for (Latencies.Interval second : slice) {
      Histogram one = second.byOperation().get(operation);
      if (one != null) {
        all.add(one);
      }
    }
    return all.getTotalCount() < CALLS_FOR_P99 ? 0 : all.getValueAtPercentile(99) / 1e6;
  }
}
