package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The rise of throughput over a measurement that begins with cold processes, and the share of the
 * CPU time of all processes JIT compilers use meanwhile, second by second.
 */
public final class CompilationAnalysis extends WholeRunAnalysis {
  private static final int MIN_SLICES = 20;
  private static final int MAX_SLICES = 120;

  /** The part of the slices whose mean counts as one value, so that no single slice decides. */
  private static final int WINDOWS = 20;

  private static final double REACHED = 0.95;

  public CompilationAnalysis() {
    super("compilation", "throughput and compilation over time", "");
  }

  /**
   * One trial in slices of equal length.
   *
   * @param rates records a second
   * @param shares of the CPU time of all processes that JIT compilers used, from 0 to 1
   */
  private record Curve(
      TrialRecord trial, List<Double> rates, List<Double> shares, double sliceSeconds) {
    String name() {
      return trial.label() + ", block " + (trial.block() + 1);
    }

    double last(List<Double> values) {
      return mean(values, values.size() * 3 / 4, values.size());
    }

    /** Seconds until throughput is at its level; empty where it still rises at the end. */
    Optional<Double> levelled() {
      double level = REACHED * last(rates);
      int window = Math.max(1, rates.size() / WINDOWS);
      return IntStream.range(0, rates.size() * 3 / 4)
          .filter(i -> mean(rates, i, i + window) >= level)
          .mapToObj(i -> i * sliceSeconds)
          .findFirst();
    }

    /** The compilers' share of CPU time until throughput is at its level. */
    Optional<Double> shareUntilLevelled() {
      return levelled().map(seconds -> mean(shares, 0, (int) Math.max(1, seconds / sliceSeconds)));
    }

    TimeLine line(List<Double> values) {
      return new TimeLine(name(), values, 1 / sliceSeconds, 0, true);
    }
  }

  private static double mean(List<Double> values, int from, int to) {
    return Samples.mean(values.subList(from, to).stream().mapToDouble(each -> each).toArray());
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<Curve> curves =
        run.finished().stream()
            .filter(TrialRecord::beganCold)
            .flatMap(trial -> curve(run, trial).stream())
            .toList();
    if (curves.isEmpty()) {
      throw new NoResult("compilation.no-trial");
    }
    List<Finding> findings = new ArrayList<>();
    curves.stream()
        .collect(ListsByKey.by(curve -> curve.trial().label()))
        .forEach((label, of) -> findings.add(finding(label, of)));
    MetricTable<Curve> table =
        new MetricTable<Curve>("not reached before the last quarter of the measured part")
            .text("trial", Curve::name)
            .number("level reached after [s]", Curve::levelled)
            .formatted(
                "JIT until level reached",
                curve -> curve.shareUntilLevelled().map(Numbers::percent).orElse(Table.ABSENT))
            .formatted("JIT, last quarter", curve -> Numbers.percent(curve.last(curve.shares())))
            .number("records/s, last quarter", curve -> Optional.of(curve.last(curve.rates())));
    return StudyResult.of(
        findings,
        Section.of(
            "compilation",
            "Throughput and JIT compilation over time",
            "The first trial after each start of processes, in slices of %s s. The level is %.0f %% of the mean of the last quarter."
                .formatted(Numbers.shorten(curves.get(0).sliceSeconds()), 100 * REACHED),
            TimeChart.throughput(
                "Records a second over time", "records/s", lines(curves, Curve::rates)),
            TimeChart.seconds(
                "Share of the CPU time of all processes that JIT compilers used",
                "trials",
                List.of("Trial", "Until s", "JIT share"),
                lines(curves, Curve::shares)),
            table.figure("One row per trial", curves)));
  }

  private static List<TimeLine> lines(List<Curve> curves, Function<Curve, List<Double>> of) {
    return curves.stream().map(curve -> curve.line(of.apply(curve))).toList();
  }

  private static Finding finding(String label, List<Curve> of) {
    if (of.stream().anyMatch(curve -> curve.levelled().isEmpty())) {
      return Finding.warning("compilation.rising")
          .with("treatment", Value.name(label))
          .with("jit", share(of, curve -> curve.last(curve.shares())));
    }
    double[] seconds = of.stream().mapToDouble(c -> c.levelled().orElseThrow()).toArray();
    return Finding.info("compilation.level")
        .with("treatment", Value.name(label))
        .with("seconds", Means.arithmetic(seconds, "s"))
        .with("jit", share(of, curve -> curve.shareUntilLevelled().orElseThrow()));
  }

  private static Value share(List<Curve> of, ToDoubleFunction<Curve> share) {
    return Value.share(of.stream().mapToDouble(share).average().orElse(0));
  }

  /** Empty for a trial that is too short, or of which no compilers were recorded. */
  private static Optional<Curve> curve(RunRecord run, TrialRecord trial) {
    List<CpuLog.Interval> cpu;
    try {
      cpu = CpuLog.of(run.folder(), trial).orElse(List.of());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    List<Long> samples = trial.timeline().samples();
    int from = Math.min(trial.timeline().measuredFrom(), samples.size());
    List<Long> tenths = samples.subList(from, samples.size());
    double recorded =
        cpu.stream()
            .filter(each -> each.what() == What.COMPILED)
            .mapToDouble(CpuLog.Interval::to)
            .max()
            .orElse(0);
    int seconds = Math.min(tenths.size() / 10, (int) recorded);
    int width = Math.max(1, (seconds + MAX_SLICES - 1) / MAX_SLICES);
    int slices = seconds / width;
    if (slices < MIN_SLICES) {
      return Optional.empty();
    }
    double[] rates = new double[slices];
    double[] used = new double[slices];
    double[] compiled = new double[slices];
    for (int i = 0; i < slices * width * 10; i++) {
      int second = i / 10;
      rates[second / width] += tenths.get(i) / (double) width;
    }
    for (CpuLog.Interval each : cpu) {
      int slice = (int) ((each.from() + each.to()) / 2 / width);
      double cpuSeconds = each.cpus() * (each.to() - each.from());
      if (slice < slices && each.what() == What.COMPILED) {
        compiled[slice] += cpuSeconds;
      } else if (slice < slices && each.what() == What.USED) {
        used[slice] += cpuSeconds;
      }
    }
    List<Double> shares =
        IntStream.range(0, slices).mapToObj(i -> compiled[i] / Math.max(1e-9, used[i])).toList();
    return Optional.of(new Curve(trial, Arrays.stream(rates).boxed().toList(), shares, width));
  }
}
