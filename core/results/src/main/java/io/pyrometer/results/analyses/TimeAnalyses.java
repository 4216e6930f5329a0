package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.analysis.steady.LinearTrend;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric.LatencyStatistic;
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
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialEvents;
import io.pyrometer.results.study.StudyResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Analyses of trials over their time: compilation, stages of a rate, trends and server events. */
final class TimeAnalyses {
  static final List<Analysis> ALL =
      List.of(
          new DeclaredAnalysis(
              "compilation", "throughput and compilation over time", "", Compilation::analyze),
          new DeclaredAnalysis("stages", "latency by stage", "ms", StagesOfRate::analyze)
              .shownFor(run -> run.any(trial -> StagesOfRate.stages(trial).isPresent()))
              .requiring(each -> each.settings().has(CoreSettings.STAGES)),
          new DeclaredAnalysis("trend", "change over time", "", Trend::analyze),
          new DeclaredAnalysis("elasticity", "server events", "", Elasticity::analyze)
              .requiring(
                  each ->
                      !each.settings()
                          .find(CoreSettings.SERVER_EVENT)
                          .orElse("none")
                          .equals("none")));

  private TimeAnalyses() {}

  private static String name(TrialRecord trial) {
    return trial.label() + ", block " + (trial.block() + 1);
  }

  private static Set<String> operations(List<Map<String, LatencyCounts>> parts) {
    Set<String> operations = new TreeSet<>();
    parts.forEach(part -> operations.addAll(part.keySet()));
    return operations;
  }

  private static long calls(Map<String, LatencyCounts> part) {
    return part.values().stream().mapToLong(LatencyCounts::count).sum();
  }

  /**
   * The rise of throughput over a measurement that begins with cold processes, and the share of the
   * CPU time of all processes JIT compilers use meanwhile, second by second.
   */
  private static final class Compilation {
    private static final int MIN_SECONDS = 20;

    /** The part of the seconds whose mean counts as one value, so that no single one decides. */
    private static final int WINDOWS = 20;

    private static final double REACHED = 0.95;

    /**
     * One trial.
     *
     * @param rates records in each second
     * @param cpu CPU time of all processes and of their JIT compilers
     */
    private record Curve(TrialRecord trial, List<Double> rates, List<CpuLog.Interval> cpu) {
      int lastQuarter() {
        return rates.size() * 3 / 4;
      }

      private double mean(int from, int to) {
        return Samples.mean(rates.subList(from, to).stream().mapToDouble(v -> v).toArray());
      }

      /** Seconds until throughput is at its level; empty where it still rises at the end. */
      Optional<Double> levelled() {
        double level = REACHED * mean(lastQuarter(), rates.size());
        int window = Math.max(1, rates.size() / WINDOWS);
        return IntStream.range(0, lastQuarter())
            .filter(i -> mean(i, i + window) >= level)
            .mapToObj(i -> (double) i)
            .findFirst();
      }

      /** The share of the CPU time of some seconds that JIT compilers used, from 0 to 1. */
      private double jit(double from, double to) {
        return seconds(What.COMPILED, from, to) / Math.max(1e-9, seconds(What.USED, from, to));
      }

      private double seconds(What what, double from, double to) {
        return cpu.stream()
            .filter(each -> each.what() == what && each.from() >= from && each.to() <= to + 0.5)
            .mapToDouble(each -> each.cpus() * (each.to() - each.from()))
            .sum();
      }

      Optional<Double> jitUntilLevelled() {
        return levelled().map(seconds -> jit(0, Math.max(1, seconds)));
      }

      double jitInLastQuarter() {
        return jit(lastQuarter(), rates.size());
      }
    }

    static StudyResult analyze(RunRecord run) {
      List<Curve> curves =
          RunAnalysis.require(
              "compilation.no-trial",
              run.finished().stream()
                  .filter(TrialRecord::beganCold)
                  .flatMap(trial -> curve(run, trial).stream())
                  .toList());
      List<Finding> findings = new ArrayList<>();
      curves.stream()
          .collect(ListsByKey.by(curve -> curve.trial().label()))
          .forEach((label, of) -> findings.add(finding(label, of)));
      Figure table =
          Texts.<Curve>table("compilation")
              .text("trial", curve -> name(curve.trial()))
              .number("level reached after [s]", Curve::levelled)
              .formatted(
                  "JIT until level reached",
                  curve -> curve.jitUntilLevelled().map(Numbers::percent).orElse(Table.ABSENT))
              .formatted("JIT, last quarter", curve -> Numbers.percent(curve.jitInLastQuarter()))
              .figure("One row per trial", curves);
      return StudyResult.of(
          findings,
          Texts.section(
              "compilation",
              Texts.of("compilation.lead", Numbers.percent(REACHED)),
              List.of(table)));
    }

    private static Finding finding(String label, List<Curve> of) {
      if (of.stream().anyMatch(curve -> curve.levelled().isEmpty())) {
        return Finding.warning("compilation.rising")
            .with("treatment", label)
            .with("jit", share(of, Curve::jitInLastQuarter));
      }
      double[] seconds = of.stream().mapToDouble(c -> c.levelled().orElseThrow()).toArray();
      return Finding.info("compilation.level")
          .with("treatment", label)
          .with("seconds", Means.arithmetic(seconds, "s"))
          .with("jit", share(of, curve -> curve.jitUntilLevelled().orElseThrow()));
    }

    private static Value share(List<Curve> of, ToDoubleFunction<Curve> share) {
      return Value.share(of.stream().mapToDouble(share).average().orElse(0));
    }

    /** Empty for a trial that is too short, or of which no compilers were recorded. */
    private static Optional<Curve> curve(RunRecord run, TrialRecord trial) {
      List<CpuLog.Interval> cpu;
      try {
        cpu = JsonLines.read(run.folder(), trial.artefacts(), CpuLog.KIND, CpuLog.Interval.class);
      } catch (IOException unreadable) {
        return Optional.empty();
      }
      double recorded =
          cpu.stream()
              .filter(each -> each.what() == What.COMPILED)
              .mapToDouble(CpuLog.Interval::to)
              .max()
              .orElse(0);
      List<Long> tenths =
          trial.timeline().samples().stream().skip(trial.timeline().measuredFrom()).toList();
      double[] rates = new double[Math.min(tenths.size() / 10, (int) recorded)];
      for (int i = 0; i < 10 * rates.length; i++) {
        rates[i / 10] += tenths.get(i);
      }
      return rates.length < MIN_SECONDS
          ? Optional.empty()
          : Optional.of(new Curve(trial, Arrays.stream(rates).boxed().toList(), cpu));
    }
  }

  /** Latency in each stage of the offered rate. */
  private static final class StagesOfRate {

    /** A stage that completes less than this share of its calls is overloaded. */
    private static final double COMPLETED = 0.98;

    /**
     * One operation in one stage of a treatment, over all of its blocks.
     *
     * @param from begin of the stage, seconds since that of the measured part
     * @param blocks the latencies of all operations in the stage, one map a block
     */
    private record StageRow(
        String treatment,
        Stage stage,
        double from,
        String operation,
        List<Map<String, LatencyCounts>> blocks) {
      private Stream<LatencyCounts> own() {
        return blocks.stream().flatMap(block -> Optional.ofNullable(block.get(operation)).stream());
      }

      long calls() {
        return own().mapToLong(LatencyCounts::count).sum();
      }

      /** In milliseconds; empty unless every block has enough calls. */
      Optional<Estimate> percentile(LatencyStatistic statistic) {
        double[] values =
            own()
                .flatMap(calls -> statistic.of(calls).stream())
                .mapToDouble(us -> us / 1e3)
                .toArray();
        return values.length < blocks.size()
            ? Optional.empty()
            : Optional.of(Means.geometric(values, "ms"));
      }

      double completed() {
        long calls = blocks.stream().mapToLong(TimeAnalyses::calls).sum();
        return calls / (stage.calls() * blocks.size());
      }

      String rate() {
        return stage.ramps()
            ? "%s → %s/s".formatted(Numbers.shorten(stage.from()), Numbers.shorten(stage.to()))
            : Numbers.shorten(stage.from()) + "/s";
      }
    }

    static StudyResult analyze(RunRecord run) {
      List<StageRow> rows =
          RunAnalysis.require(
              "stages.no-trial",
              TreatmentRow.valid(run, trial -> stages(trial).isPresent()).stream()
                  .flatMap(treatment -> rows(run, treatment).stream())
                  .toList());
      MetricTable<StageRow> table =
          Texts.<StageRow>table("stages")
              .text("treatment", StageRow::treatment)
              .text("offered", StageRow::rate)
              .formatted(
                  "from [s]",
                  row ->
                      Numbers.shorten(row.from)
                          + "–"
                          + Numbers.shorten(row.from + row.stage.seconds()))
              .text("operation", StageRow::operation)
              .count("calls", StageRow::calls)
              .formatted("completed [%]", row -> Numbers.shorten(100 * row.completed()))
              .estimate("p50 [ms]", row -> row.percentile(LatencyStatistic.P50))
              .estimate("p99 [ms]", row -> row.percentile(LatencyStatistic.P99));
      return StudyResult.of(
          findings(rows), Texts.section("stages", table.figure(Texts.of("stages.rows"), rows)));
    }

    private static Optional<Stages> stages(TrialRecord trial) {
      return trial.settings().find(CoreSettings.STAGES);
    }

    /** The histograms of each stage and operation; an interval belongs where its middle lies. */
    private static List<StageRow> rows(RunRecord run, TreatmentRow treatment) {
      List<Latencies> blocks =
          treatment.trials().stream().flatMap(trial -> run.latencies(trial).stream()).toList();
      List<StageRow> rows = new ArrayList<>();
      double from = 0;
      for (Stage stage : stages(treatment.trial()).orElseThrow().stages()) {
        double begin = from;
        List<Map<String, LatencyCounts>> parts =
            blocks.stream().map(each -> each.between(begin, begin + stage.seconds())).toList();
        for (String operation : operations(parts)) {
          rows.add(new StageRow(treatment.label(), stage, begin, operation, parts));
        }
        from += stage.seconds();
      }
      return rows;
    }

    /**
     * For each treatment and operation the stage of the highest p99, of those that are overloaded
     * where there are any: their backlog ends in later ones.
     */
    private static List<Finding> findings(List<StageRow> rows) {
      List<Finding> findings = new ArrayList<>();
      rows.stream()
          .filter(row -> row.percentile(LatencyStatistic.P99).isPresent())
          .collect(ListsByKey.by(row -> List.of(row.treatment, row.operation)))
          .values()
          .forEach(
              stages -> {
                StageRow highest =
                    Collections.max(
                        stages,
                        Comparator.comparing((StageRow r) -> r.completed() < COMPLETED)
                            .thenComparingDouble(r -> p99(r).value()));
                findings.add(
                    (highest.completed() < COMPLETED
                            ? Finding.warning("stages.overloaded")
                            : Finding.info("stages.highest"))
                        .with("treatment", highest.treatment)
                        .with("operation", highest.operation)
                        .with("rate", highest.rate())
                        .with("completed", Value.share(highest.completed()))
                        .with("p99", p99(highest)));
              });
      return findings;
    }

    private static Estimate p99(StageRow row) {
      return row.percentile(LatencyStatistic.P99).orElseThrow();
    }
  }

  /** Changes of throughput and p99 during one long measurement: a line through slices of time. */
  private static final class Trend {
    /** Confidence of all intervals of a run together (Bonferroni). */
    private static final double TOGETHER = 0.95;

    /** Slices that neighbouring checkpoints and collections do not tell apart. */
    private static final int MAX_SLICES = 60;

    /**
     * One metric of one trial in slices of equal length.
     *
     * @param slices the value in each slice; 0 where there is none
     * @param seconds the length of all slices together
     */
    private record Series(
        String trial, String metric, boolean throughput, List<Double> slices, double seconds) {
      long empty() {
        return slices.stream().filter(value -> !(value > 0)).count();
      }

      double[] values() {
        return slices.stream().mapToDouble(v -> v).toArray();
      }

      /** End against begin; empty where a slice has no value. */
      Optional<Estimate> change(double confidence) {
        return empty() > 0
            ? Optional.empty()
            : Optional.of(LinearTrend.endToBegin(values(), confidence));
      }
    }

    static StudyResult analyze(RunRecord run) {
      List<Series> series =
          RunAnalysis.require(
              "trend.no-trial",
              run.counting().stream()
                  .flatMap(t -> run.latencies(t).stream().flatMap(read -> series(read, t).stream()))
                  .toList());
      // All series are one family: the more there are, the wider each interval.
      long judged = series.stream().filter(each -> each.empty() == 0).count();
      double confidence = 1 - (1 - TOGETHER) / Math.max(1, judged);
      Figure table =
          Texts.<Series>table("trend")
              .text("trial", Series::trial)
              .text("metric", Series::metric)
              .count("slices", each -> each.slices().size())
              .number(
                  "mean",
                  each -> each.change(confidence).map(change -> Samples.mean(each.values())))
              .formatted(
                  "end / begin [all at 95 %]",
                  each -> each.change(confidence).map(Numbers::ratio).orElse(Table.ABSENT))
              .figure(Texts.of("trend.rows"), series);
      return StudyResult.of(
          findings(series, confidence),
          Texts.section("trend", Texts.of("trend.lead", MAX_SLICES), List.of(table)));
    }

    /** Changes and standstills, then all series that do not change in one. */
    private static List<Finding> findings(List<Series> series, double confidence) {
      List<Finding> findings = new ArrayList<>();
      List<Estimate> steady = new ArrayList<>();
      for (Series of : series) {
        Optional<Estimate> change = of.change(confidence);
        if (change.isPresent() && change.get().contains(1)) {
          steady.add(change.get());
        } else if (change.isPresent()) {
          boolean worse = (change.get().value() < 1) == of.throughput();
          findings.add(
              (worse ? Finding.warning("trend.worse") : Finding.notice("trend.better"))
                  .with("series", of.trial() + ": " + of.metric())
                  .with("change", Value.change(change.get().value()))
                  .with("length", Value.seconds(of.seconds()))
                  .with("end / begin", change.get()));
        } else if (of.throughput()) {
          findings.add(
              Finding.warning("trend.standstill")
                  .with("trial", of.trial())
                  .with("empty", of.empty())
                  .with("slices", of.slices().size()));
        }
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
    private static List<Series> series(Latencies latencies, TrialRecord trial) {
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
      double whole = Math.rint(seconds / width);
      double length = width * Math.max(1, Math.ceil(whole / MAX_SLICES));
      int slices = (int) (whole * width / length);
      if (slices < LinearTrend.LEAST_SLICES) {
        return List.of();
      }
      List<Map<String, LatencyCounts>> parts =
          IntStream.range(0, slices)
              .mapToObj(i -> latencies.between(i * length, (i + 1) * length))
              .toList();
      List<Series> series = new ArrayList<>();
      List<Double> calls = parts.stream().map(of -> calls(of) / length).toList();
      series.add(new Series(name(trial), "calls/s", true, calls, slices * length));
      for (String operation : operations(parts)) {
        List<Double> p99 = parts.stream().map(part -> p99(part, operation)).toList();
        String metric = "p99 " + operation + " [ms]";
        series.add(new Series(name(trial), metric, false, p99, slices * length));
      }
      return series;
    }

    /** In milliseconds; 0 where there are too few calls. */
    private static double p99(Map<String, LatencyCounts> part, String operation) {
      return Optional.ofNullable(part.get(operation)).flatMap(LatencyStatistic.P99::of).orElse(0.0)
          / 1e3;
    }
  }

  /**
   * The depth and length of dips of throughput when a server leaves, is killed, joins or returns,
   * and whether keys were lost.
   */
  private static final class Elasticity {
    private static final double SAMPLE_SECONDS = 0.1;

    /** Samples before an event that throughput is compared with. */
    private static final int MAX_BEFORE = 50;

    /**
     * The dips after one server event with one treatment; blocks are the replicates.
     *
     * @param joins what joining took, in seconds, where a server joined
     */
    private record Row(String treatment, String event, List<Dip> dips, List<Double> joins) {
      Optional<Estimate> mean(ToDoubleFunction<Dip> value) {
        return Means.arithmetic(dips.stream().mapToDouble(value), "s");
      }

      Optional<Estimate> depth() {
        return Means.arithmetic(dips.stream().mapToDouble(dip -> 100 * dip.depth()), "%");
      }

      /** Mean over the blocks that recovered. */
      Optional<Estimate> recovery() {
        return Means.arithmetic(dips.stream().flatMapToDouble(dip -> dip.seconds().stream()), "s");
      }

      long notRecovered() {
        return dips.stream().filter(dip -> dip.seconds().isEmpty()).count();
      }

      Optional<Double> joined() {
        return Means.arithmetic(joins.stream().mapToDouble(v -> v), "s").map(Estimate::value);
      }
    }

    static StudyResult analyze(RunRecord run) {
      List<TrialRecord> trials =
          run.counting(trial -> !TrialEvents.serverEvents(trial).isEmpty()).stream()
              .sorted(run.inOrder(TrialRecord::levels))
              .toList();
      Map<List<String>, Row> byEvent = new LinkedHashMap<>();
      trials.forEach(trial -> add(trial, byEvent));
      List<Row> rows = RunAnalysis.require("elasticity.no-trial", List.copyOf(byEvent.values()));
      List<Finding> findings = new ArrayList<>();
      keys(trials).ifPresent(findings::add);
      rows.forEach(row -> findings.addAll(findings(row)));
      MetricTable<Row> table =
          Texts.<Row>table("elasticity")
              .text("treatment", Row::treatment)
              .text("event", Row::event)
              .estimate("depth [%]", Row::depth)
              .estimate("below 90 % [s]", row -> row.mean(Dip::below))
              .estimate("recovers after [s]", Row::recovery)
              .count("not recovered", Row::notRecovered)
              .number("join took [s]", Row::joined)
              .count("blocks", row -> row.dips().size());
      return StudyResult.of(
          findings, Texts.section("elasticity", table.figure(Texts.of("elasticity.rows"), rows)));
    }

    /** Adds the dips of every event with enough samples around it. */
    private static void add(TrialRecord trial, Map<List<String>, Row> byEvent) {
      List<TrialEvents.Event> events = TrialEvents.serverEvents(trial);
      double[] samples = trial.timeline().samples().stream().mapToDouble(n -> n).toArray();
      int floor = trial.timeline().measuredFrom();
      for (int i = 0; i < events.size(); i++) {
        TrialEvents.Event event = events.get(i);
        int begin = sample(trial, event.begin());
        int from = Math.max(floor, begin - MAX_BEFORE);
        int next =
            i + 1 < events.size() ? sample(trial, events.get(i + 1).begin()) : samples.length;
        int to = Math.min(next, samples.length);
        if (begin - from >= Dip.LEAST_BEFORE && to - begin >= Dip.WINDOW) {
          Row row =
              byEvent.computeIfAbsent(
                  List.of(trial.label(), event.what()),
                  key -> new Row(key.get(0), key.get(1), new ArrayList<>(), new ArrayList<>()));
          double[] around = Arrays.copyOfRange(samples, from, to);
          row.dips().add(Dip.after(around, SAMPLE_SECONDS, begin - from));
          if (event.end() > event.begin()) {
            row.joins().add(event.end() - event.begin());
          }
        }
        floor = sample(trial, event.end()) + 1;
      }
    }

    private static int sample(TrialRecord trial, double seconds) {
      return trial.timeline().measuredFrom() + (int) (seconds / SAMPLE_SECONDS);
    }

    private static List<Finding> findings(Row of) {
      List<Finding> findings = new ArrayList<>();
      findings.add(
          of.dips().stream().noneMatch(dip -> dip.depth() > 0)
              ? Finding.info("elasticity.no-dip")
              : Finding.info("elasticity.dip")
                  .with("depth", of.depth().orElseThrow())
                  .with("below", of.mean(Dip::below).orElseThrow()));
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
