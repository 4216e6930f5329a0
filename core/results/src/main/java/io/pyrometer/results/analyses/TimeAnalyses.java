package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Stages;
import io.pyrometer.protocol.Stages.Stage;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.analyses.WholeRunAnalysis.NoResult;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Analyses of trials over their time: compilation, stages of a rate, trends and server events. */
public final class TimeAnalyses {
  private TimeAnalyses() {}

  /**
   * The rise of throughput over a measurement that begins with cold processes, and the share of the
   * CPU time of all processes JIT compilers use meanwhile, second by second.
   */
  public static final class Compilation extends WholeRunAnalysis {
    private static final int MIN_SLICES = 20;
    private static final int MAX_SLICES = 120;

    /** The part of the slices whose mean counts as one value, so that no single slice decides. */
    private static final int WINDOWS = 20;

    private static final double REACHED = 0.95;

    public Compilation() {
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
        return levelled()
            .map(seconds -> mean(shares, 0, (int) Math.max(1, seconds / sliceSeconds)));
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
          Texts.<Curve>table(id())
              .text("trial", Curve::name)
              .number("level reached after [s]", Curve::levelled)
              .formatted(
                  "JIT until level reached",
                  curve -> curve.shareUntilLevelled().map(Numbers::percent).orElse(Table.ABSENT))
              .formatted("JIT, last quarter", curve -> Numbers.percent(curve.last(curve.shares())))
              .number("records/s, last quarter", curve -> Optional.of(curve.last(curve.rates())));
      Figure throughput =
          TimeChart.throughput(
              "Records a second over time", "records/s", lines(curves, Curve::rates));
      Figure shares =
          TimeChart.seconds(
              Texts.of("compilation.shares"),
              "trials",
              List.of("Trial", "Until s", "JIT share"),
              lines(curves, Curve::shares));
      String slice = Numbers.shorten(curves.get(0).sliceSeconds());
      return StudyResult.of(
          findings,
          Texts.section(
              id(),
              Texts.of("compilation.lead", slice, Numbers.percent(REACHED)),
              List.of(throughput, shares, table.figure("One row per trial", curves))));
    }

    private static List<TimeLine> lines(List<Curve> curves, Function<Curve, List<Double>> of) {
      return curves.stream().map(curve -> curve.line(of.apply(curve))).toList();
    }

    private static Finding finding(String label, List<Curve> of) {
      if (of.stream().anyMatch(curve -> curve.levelled().isEmpty())) {
        return Finding.warning("compilation.rising")
            .with("treatment", label)
            .with("jit", share(of, curve -> curve.last(curve.shares())));
      }
      double[] seconds = of.stream().mapToDouble(c -> c.levelled().orElseThrow()).toArray();
      return Finding.info("compilation.level")
          .with("treatment", label)
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

  /** Latency in each stage of the offered rate. */
  public static final class StagesOfRate extends WholeRunAnalysis {

    /** A percentile needs ten calls beyond it. */
    private static final int CALLS_BEYOND = 10;

    /** A stage that completes less than this share of its calls is overloaded. */
    private static final double COMPLETED = 0.98;

    public StagesOfRate() {
      super("stages", "latency by stage", "ms");
    }

    @Override
    public boolean always(RunRecord run) {
      return run.any(trial -> stages(trial).isPresent());
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return require(treatments, each -> each.settings().has(CoreSettings.STAGES));
    }

    /**
     * One operation in one stage of a treatment, over all of its blocks.
     *
     * @param from begin of the stage, seconds since that of the measured part
     * @param blocks the calls that ended in the stage, one histogram a block
     * @param callsOfAll calls of all operations that ended in the stage, in all blocks
     */
    private record Row(
        String treatment,
        Stage stage,
        double from,
        String operation,
        List<Histogram> blocks,
        long callsOfAll) {
      /** In milliseconds; empty unless every block has enough calls. */
      Optional<Estimate> percentile(double percent) {
        double[] values =
            blocks.stream()
                .filter(block -> block.getTotalCount() * (1 - percent / 100) >= CALLS_BEYOND)
                .mapToDouble(block -> block.getValueAtPercentile(percent) / 1e6)
                .toArray();
        return values.length < blocks.size()
            ? Optional.empty()
            : Optional.of(Means.geometric(values, "ms"));
      }

      double completed() {
        return callsOfAll / (stage.calls() * blocks.size());
      }

      String rate() {
        return stage.ramps()
            ? "%s → %s/s".formatted(Numbers.shorten(stage.from()), Numbers.shorten(stage.to()))
            : Numbers.shorten(stage.from()) + "/s";
      }
    }

    @Override
    StudyResult analyze(RunRecord run) {
      List<Row> rows = new ArrayList<>();
      for (TreatmentRow treatment : TreatmentRow.valid(run, trial -> stages(trial).isPresent())) {
        rows.addAll(rows(run, treatment));
      }
      if (rows.isEmpty()) {
        throw new NoResult("stages.no-trial");
      }
      MetricTable<Row> table =
          Texts.<Row>table(id())
              .text("treatment", Row::treatment)
              .text("offered", Row::rate)
              .formatted(
                  "from [s]", row -> Numbers.shorten(row.from) + "–" + Numbers.shorten(end(row)))
              .text("operation", Row::operation)
              .count("calls", row -> row.blocks.stream().mapToLong(Histogram::getTotalCount).sum())
              .formatted("completed [%]", row -> Numbers.shorten(100 * row.completed()))
              .estimate("p50 [ms]", row -> row.percentile(50))
              .estimate("p99 [ms]", row -> row.percentile(99));
      return StudyResult.of(
          findings(rows), Texts.section(id(), table.figure(Texts.of("stages.rows"), rows)));
    }

    private static double end(Row row) {
      return row.from + row.stage.seconds();
    }

    private static Optional<Stages> stages(TrialRecord trial) {
      return trial.settings().find(CoreSettings.STAGES);
    }

    /** The histograms of each stage and operation; an interval belongs where its middle lies. */
    private static List<Row> rows(RunRecord run, TreatmentRow treatment) {
      List<Latencies> blocks = new ArrayList<>();
      for (TrialRecord trial : treatment.trials()) {
        Path log = run.folder().histogram(trial.id(), trial.attempt());
        if (Files.exists(log)) {
          blocks.add(Latencies.read(log));
        }
      }
      List<Row> rows = new ArrayList<>();
      double from = 0;
      for (Stage stage : stages(treatment.trial()).orElseThrow().stages()) {
        double begin = from;
        List<Map<String, Histogram>> parts =
            blocks.stream().map(each -> each.between(begin, begin + stage.seconds())).toList();
        long all =
            parts.stream()
                .flatMap(part -> part.values().stream())
                .mapToLong(Histogram::getTotalCount)
                .sum();
        parts.stream()
            .flatMap(part -> part.keySet().stream())
            .distinct()
            .sorted()
            .forEach(
                operation -> {
                  List<Histogram> of =
                      parts.stream()
                          .map(part -> part.getOrDefault(operation, new Histogram(3)))
                          .toList();
                  rows.add(new Row(treatment.label(), stage, begin, operation, of, all));
                });
        from += stage.seconds();
      }
      return rows;
    }

    /** For each treatment and operation the stage of the highest p99, overloaded or not. */
    private static List<Finding> findings(List<Row> rows) {
      List<Finding> findings = new ArrayList<>();
      rows.stream()
          .filter(row -> row.percentile(99).isPresent())
          .collect(ListsByKey.by(row -> List.of(row.treatment, row.operation)))
          .values()
          .forEach(
              stages -> {
                Row highest =
                    Collections.max(stages, Comparator.comparingDouble(r -> p99(r).value()));
                findings.add(
                    (highest.completed() < COMPLETED
                            ? Finding.warning("stages.overloaded")
                            : Finding.info("stages.highest"))
                        .with("treatment", highest.treatment)
                        .with("operation", highest.operation)
                        .with("rate", highest.rate())
                        .with("completed", Value.share(highest.completed()))
                        .with(
                            "first",
                            Optional.of(stages.get(0))
                                .filter(first -> !first.equals(highest))
                                .map(first -> Value.micros(1e3 * p99(first).value())))
                        .with("p99", p99(highest)));
              });
      return findings;
    }

    private static Estimate p99(Row row) {
      return row.percentile(99).orElseThrow();
    }
  }

  /** Changes of throughput and p99 during one long measurement: a line through slices of time. */
  public static final class Trend extends WholeRunAnalysis {
    /** Confidence of all intervals of a run together (Bonferroni). */
    private static final double TOGETHER = 0.95;

    /** Slices that neighbouring checkpoints and collections do not tell apart. */
    private static final int MAX_SLICES = 60;

    /** A p99 needs ten calls beyond it. */
    private static final long CALLS_FOR_P99 = 1_000;

    public Trend() {
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
        return slices.stream().mapToDouble(v -> v).toArray();
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
          Texts.<Line>table(id())
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
          Texts.section(
              id(),
              Texts.of("trend.lead", MAX_SLICES),
              List.of(table.figure(Texts.of("trend.rows"), lines))));
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
                  .with("trial", of.trial())
                  .with("empty", of.empty())
                  .with("slices", of.slices().size()));
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
                            .with("series", of.trial() + ": " + of.metric())
                            .with("change", Value.change(change.value()))
                            .with("length", Value.seconds(of.seconds()))
                            .with("end / begin", change)));
      }
      if (!steady.isEmpty()) {
        double low = steady.stream().mapToDouble(Estimate::low).min().orElse(1);
        double high = steady.stream().mapToDouble(Estimate::high).max().orElse(1);
        findings.add(
            Finding.info("trend.steady")
                .with("series", steady.size())
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

  /**
   * The depth and length of dips of throughput when a server leaves, is killed, joins or returns,
   * and whether keys were lost.
   */
  public static final class Elasticity extends WholeRunAnalysis {
    private static final double SAMPLE_SECONDS = 0.1;

    /** Samples before an event that throughput is compared with. */
    private static final int MAX_BEFORE = 50;

    public Elasticity() {
      super("elasticity", "server events", "");
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return require(
          treatments,
          each -> !each.settings().find(CoreSettings.SERVER_EVENT).orElse("none").equals("none"));
    }

    /**
     * The dips after one server event with one treatment; blocks are the replicates.
     *
     * @param joins what joining took, in seconds, where a server joined
     */
    private record Row(String treatment, String event, List<Dip> dips, List<Double> joins) {
      Optional<Estimate> depth() {
        return Means.arithmetic(dips.stream().mapToDouble(dip -> 100 * dip.depth()), "%");
      }

      Optional<Estimate> below() {
        return Means.arithmetic(dips.stream().mapToDouble(Dip::below), "s");
      }

      /** Mean over the blocks that recovered. */
      Optional<Estimate> recovery() {
        return Means.arithmetic(dips.stream().flatMapToDouble(dip -> dip.seconds().stream()), "s");
      }

      /** Seconds of the load before the event. */
      Optional<Double> missed() {
        return Means.arithmetic(
                dips.stream()
                    .mapToDouble(
                        dip -> dip.missing() * SAMPLE_SECONDS / Math.max(dip.before(), 1e-9)),
                "s")
            .map(Estimate::value);
      }

      long notRecovered() {
        return dips.stream().filter(dip -> dip.seconds().isEmpty()).count();
      }

      Optional<Double> joined() {
        return Means.arithmetic(joins.stream().mapToDouble(v -> v), "s").map(Estimate::value);
      }
    }

    @Override
    StudyResult analyze(RunRecord run) {
      List<TrialRecord> trials = run.counting(trial -> !TrialEvents.serverEvents(trial).isEmpty());
      Map<List<String>, Row> byEvent = new LinkedHashMap<>();
      trials.forEach(trial -> add(trial, byEvent));
      List<Row> rows = List.copyOf(byEvent.values());
      if (rows.isEmpty()) {
        throw new NoResult("elasticity.no-trial");
      }
      List<Finding> findings = new ArrayList<>();
      keys(trials).ifPresent(findings::add);
      rows.forEach(row -> findings.addAll(findings(row)));
      MetricTable<Row> table =
          Texts.<Row>table(id())
              .text("treatment", Row::treatment)
              .text("event", Row::event)
              .estimate("depth [%]", Row::depth)
              .estimate("below 90 % [s]", Row::below)
              .estimate("recovers after [s]", Row::recovery)
              .count("not recovered", Row::notRecovered)
              .number("missed [s of load]", Row::missed)
              .number("join took [s]", Row::joined)
              .count("blocks", row -> row.dips().size());
      return StudyResult.of(
          findings, Texts.section(id(), table.figure(Texts.of("elasticity.rows"), rows)));
    }

    /** Adds the dips of every event with enough samples around it. */
    private static void add(TrialRecord trial, Map<List<String>, Row> byEvent) {
      List<TrialEvents.ServerEvent> events = TrialEvents.serverEvents(trial);
      List<Long> samples = trial.timeline().samples();
      int measuredFrom = trial.timeline().measuredFrom();
      int floor = measuredFrom;
      for (int i = 0; i < events.size(); i++) {
        TrialEvents.ServerEvent event = events.get(i);
        int begin = measuredFrom + (int) (event.begin() / SAMPLE_SECONDS);
        int from = Math.max(floor, begin - MAX_BEFORE);
        int next =
            i + 1 < events.size()
                ? measuredFrom + (int) (events.get(i + 1).begin() / SAMPLE_SECONDS)
                : samples.size();
        int to = Math.min(next, samples.size());
        if (begin - from >= Dip.LEAST_BEFORE && to - begin >= Dip.WINDOW) {
          double[] around =
              samples.subList(from, to).stream().mapToDouble(Long::doubleValue).toArray();
          Row row =
              byEvent.computeIfAbsent(
                  List.of(trial.label(), event.name()),
                  key -> new Row(key.get(0), key.get(1), new ArrayList<>(), new ArrayList<>()));
          row.dips().add(Dip.after(around, SAMPLE_SECONDS, begin - from));
          if (event.end() > event.begin()) {
            row.joins().add(event.end() - event.begin());
          }
        }
        floor = measuredFrom + (int) Math.ceil(event.end() / SAMPLE_SECONDS);
      }
    }

    private static List<Finding> findings(Row of) {
      List<Finding> findings = new ArrayList<>();
      if (of.dips().stream().noneMatch(dip -> dip.depth() > 0)) {
        findings.add(Finding.info("elasticity.no-dip"));
      } else {
        findings.add(
            Finding.info("elasticity.dip")
                .with("depth", of.depth().orElseThrow())
                .with("below", of.below().orElseThrow()));
      }
      if (of.notRecovered() > 0) {
        findings.add(
            Finding.notice("elasticity.not-recovered")
                .with("open", of.notRecovered())
                .with("blocks", of.dips().size()));
      }
      return findings.stream()
          .map(each -> each.with("treatment", of.treatment()).with("event", of.event()))
          .toList();
    }

    /** Lost and stale keys, from the verification of the trials with an event. */
    private static Optional<Finding> keys(List<TrialRecord> trials) {
      List<TrialRecord> wrong =
          trials.stream().filter(trial -> trial.outcome() == Outcome.WRONG).toList();
      long judged = trials.stream().filter(trial -> trial.outcome() != Outcome.FAILED).count();
      if (judged == 0) {
        return Optional.empty();
      }
      return Optional.of(
          wrong.isEmpty()
              ? Finding.info("elasticity.no-loss").with("trials", judged)
              : Finding.warning("elasticity.loss")
                  .with("trials", wrong.size())
                  .with("treatments", wrong.stream().map(TrialRecord::label).distinct().toList()));
    }
  }
}
