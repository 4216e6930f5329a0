package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Whether throughput or p99 change over one long measurement, from the histograms that each trial
 * keeps for each second: slices of equal length, and a line through them.
 */
final class RunTrend {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "trend";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunTrend.of(run);
    }
  }

  /** Of all intervals of a run together (Bonferroni). */
  private static final double TOGETHER = 0.95;

  /** Slices that neighbouring checkpoints and collections do not tell apart. */
  private static final int MOST_SLICES = 60;

  /** A p99 needs ten calls beyond it. */
  private static final long CALLS_FOR_P99 = 1_000;

  private final RunRecord run;
  private final List<Series> series = new ArrayList<>();

  /**
   * One figure of one trial over time.
   *
   * @param slices its value in each slice; 0 where there is none
   * @param seconds what all slices cover
   */
  @SuppressWarnings("ArrayRecordComponent") // made here, never compared
  private record Series(
      String trial, String figure, boolean throughput, double[] slices, double seconds) {

    long without() {
      return Arrays.stream(slices).filter(value -> !(value > 0)).count();
    }
  }

  private RunTrend(RunRecord run) {
    this.run = run;
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            "trend",
            "",
            "change over time",
            "",
            true,
            RunAnalyses.analyze(() -> new RunTrend(run).analyze())));
  }

  private StudyResult analyze() {
    run.counting().forEach(this::add);
    if (series.isEmpty()) {
      throw new BadDataException(
          "No trial was measured for long enough to see a change over time: that takes %d seconds or more; set 'measure'."
              .formatted(LinearTrend.LEAST_SLICES));
    }
    // All figures are one family: the more there are, the wider each interval.
    long judged = series.stream().filter(each -> each.without() == 0).count();
    double confidence = 1 - (1 - TOGETHER) / Math.max(1, judged);
    List<List<String>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (Series each : series) {
      if (each.without() > 0) {
        rows.add(withoutChange(each));
        if (each.throughput()) {
          findings.add(standstill(each));
        }
      } else {
        Estimate change = LinearTrend.endToBegin(each.slices(), confidence);
        rows.add(row(each, change));
        findings.add(finding(each, change));
      }
    }
    return new StudyResult("", findings, List.of(section(rows)), List.of());
  }

  private static Section section(List<List<String>> rows) {
    return new Section(
        "trend",
        "Change over time",
        "The measured part of each trial in up to %d slices of equal length. Change: the end of the straight line through ln y against its begin. The interval allows for the resemblance of neighbouring slices, so that a checkpoint or a collection that recurs is no change, and for the number of figures: all intervals together hold in 95 of 100 runs."
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
                            "change [all at 95 %]",
                            "lowest slice",
                            "highest slice"),
                        rows)
                    .withAbsent(
                        "no call ended in a slice, or too few for a p99: ten must lie beyond it"))));
  }

  private void add(TrialRecord trial) {
    Path log = run.folder().histogram(trial.id(), trial.attempt());
    List<Latencies.Interval> intervals =
        Files.exists(log) ? Latencies.read(log).intervals() : List.of();
    if (intervals.isEmpty()) {
      return;
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
    int together = Math.max(1, (whole + MOST_SLICES - 1) / MOST_SLICES);
    int slices = whole / together;
    if (slices < LinearTrend.LEAST_SLICES) {
      return;
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
    series.add(new Series(name, "calls/s", true, calls, slices * length));
    byOperation.forEach(
        (operation, of) ->
            series.add(
                new Series(
                    name,
                    "p99 " + operation + " [ms]",
                    false,
                    Arrays.stream(of).mapToDouble(RunTrend::p99).toArray(),
                    slices * length)));
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

  private static List<String> withoutChange(Series of) {
    return List.of(
        of.trial(),
        of.figure(),
        String.valueOf(of.slices().length),
        Table.ABSENT,
        Table.ABSENT,
        Table.ABSENT,
        of.throughput() ? "0" : Table.ABSENT,
        of.throughput()
            ? Numbers.shorten(Arrays.stream(of.slices()).max().orElse(0))
            : Table.ABSENT);
  }

  private static List<String> row(Series of, Estimate change) {
    double middle = Math.exp(Samples.mean(Samples.ln(of.slices())));
    return List.of(
        of.trial(),
        of.figure(),
        String.valueOf(of.slices().length),
        Numbers.shorten(middle / Math.sqrt(change.value())),
        Numbers.shorten(middle * Math.sqrt(change.value())),
        "%s [%s, %s]"
            .formatted(
                Figures.change(change.value()),
                Figures.change(change.low()),
                Figures.change(change.high())),
        Numbers.shorten(Arrays.stream(of.slices()).min().orElse(0)),
        Numbers.shorten(Arrays.stream(of.slices()).max().orElse(0)));
  }

  private static Finding standstill(Series of) {
    return finding(
        Finding.Severity.WARNING,
        "%s: no call ended in %d of %d slices of %s s, so the throughput stood still."
            .formatted(
                of.trial(),
                of.without(),
                of.slices().length,
                Numbers.shorten(of.seconds() / of.slices().length)),
        Map.of());
  }

  private static Finding finding(Series of, Estimate change) {
    String what = of.trial() + ": " + of.figure().replace(" [ms]", "");
    String seconds = Numbers.shorten(of.seconds());
    String low = Figures.change(change.low());
    String high = Figures.change(change.high());
    if (change.contains(1)) {
      return finding(
          Finding.Severity.INFO,
          "%s shows no change over %s s; what is excluded is a change below %s or above %s."
              .formatted(what, seconds, low, high),
          Map.of(of.figure(), change));
    }
    boolean worse = (change.value() < 1) == of.throughput();
    return finding(
        worse ? Finding.Severity.WARNING : Finding.Severity.NOTICE,
        "%s changes by %s over %s s (interval %s to %s, all figures together at 95 %%)."
            .formatted(what, Figures.change(change.value()), seconds, low, high),
        Map.of(of.figure(), change));
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
