package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Judgement;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.NotCompared;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import io.pyrometer.results.ranking.RankingModel;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes a {@link RunComparison}. */
final class RunComparer {
  private static final double CONFIDENCE = 0.95;

  private final List<Side> sides;
  private final boolean interleaved;
  private final Margins margins;
  private final JudgedMetrics metrics;
  private final List<String> unlike;
  private final CallLatencies latencies;
  private final List<List<TreatmentTrials>> trials;
  private final List<ComparedMetric> judged = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<NotCompared> notCompared = new ArrayList<>();

  RunComparer(
      List<Side> sides,
      boolean interleaved,
      Margins margins,
      JudgedMetrics metrics,
      List<String> unlike,
      CallLatencies latencies) {
    this.sides = sides;
    this.interleaved = interleaved;
    this.margins = margins;
    this.metrics = metrics;
    this.unlike = unlike;
    this.latencies = latencies;
    this.trials =
        sides.stream()
            .map(side -> side.runs().stream().map(TreatmentTrials::new).toList())
            .toList();
  }

  RunComparison make() {
    metrics.requireKnown(
        margins.named(),
        sides.stream()
            .flatMap(side -> side.runs().stream())
            .flatMap(run -> run.counting().stream()));
    shared().forEach(this::treatment);
    if (judged.isEmpty() && lost.isEmpty()) {
      throw RunException.of(
          "%s and %s share no treatment with valid trials; compare runs of one experiment.",
          sides.get(0).name(), sides.get(1).name());
    }
    SharedNoise noise = new SharedNoise(judged, interleaved);
    return new RunComparison(
        sides, interleaved, margins, rows(noise), lost, notCompared, unlike, noise.outliers());
  }

  private Set<Map<String, String>> shared() {
    Set<Map<String, String>> shared = treatments(0);
    shared.retainAll(treatments(1));
    return shared;
  }

  private Set<Map<String, String>> treatments(int side) {
    Set<Map<String, String>> treatments = new LinkedHashSet<>();
    trials.get(side).forEach(run -> treatments.addAll(run.treatments()));
    return treatments;
  }

  private void treatment(Map<String, String> levels) {
    List<TreatmentTrials> baseline = trials.get(0);
    List<TreatmentTrials> other = trials.get(1);
    if (baseline.stream().noneMatch(run -> run.measured(levels))) {
      return;
    }
    String treatment = Labels.of(levels, ComparedMetric.ONLY);
    if (other.stream().noneMatch(run -> run.measured(levels))) {
      String why =
          other.stream()
              .flatMap(run -> run.trials(levels).stream())
              .flatMap(t -> t.why().stream())
              .findFirst()
              .orElse("");
      lost.add(new Lost(treatment, why, false));
      return;
    }
    refuted(levels, 1).stream()
        .filter(why -> refuted(levels, 0).isEmpty())
        .findFirst()
        .ifPresent(why -> lost.add(new Lost(treatment, why, true)));
    List<TrialRecord> both = new ArrayList<>();
    baseline.forEach(run -> both.addAll(run.trials(levels)));
    other.forEach(run -> both.addAll(run.trials(levels)));
    List<NamedMetric> known = NamedMetric.of(both);
    known.stream()
        .flatMap(metric -> withoutTail(metric, known).stream())
        .filter(metrics::include)
        .forEach(
            metric ->
                notCompared.add(
                    new NotCompared(treatment, metric, "a trial has too few calls for it")));
    for (NamedMetric metric : known) {
      if (metrics.include(metric)) {
        ComparedMetric each = new ComparedMetric(trials, latencies, levels, metric);
        boolean inA = each.values(0).length > 0;
        boolean inB = each.values(1).length > 0;
        if (inA && inB) {
          judged.add(each);
        } else if (inA || inB) {
          notCompared.add(
              new NotCompared(
                  treatment,
                  metric,
                  "%s has no value of it%s"
                      .formatted(
                          RunComparison.letter(inA ? 1 : 0),
                          metric.latency().isPresent() ? ", for want of calls" : "")));
        }
      }
    }
  }

  /** The p99 of the operation that a p50 is of, if no trial has it. */
  private static Optional<NamedMetric> withoutTail(NamedMetric median, List<NamedMetric> known) {
    return median
        .latency()
        .filter(of -> of.statistic() == LatencyStatistic.P50)
        .map(
            of ->
                new NamedMetric(
                    Metric.latency(of.operation(), LatencyStatistic.P99),
                    median.unit(),
                    median.better()))
        .filter(tail -> !known.contains(tail));
  }

  /** The claims of a treatment that probes of a side refuted. */
  private List<String> refuted(Map<String, String> levels, int side) {
    List<String> refuted = new ArrayList<>();
    for (TreatmentTrials run : trials.get(side)) {
      run.trials(levels).stream()
          .findFirst()
          .flatMap(trial -> run.run().plan().driver(trial.settings()).guarantee(trial.settings()))
          .ifPresent(
              claimed ->
                  refuted.addAll(
                      TreatmentProbes.of(run.run(), levels, Optional.of(claimed))
                          .refuted(claimed)));
    }
    return refuted;
  }

  private ModelledPair modelled(SharedNoise noise, ComparedMetric each) {
    Pair pair = new Pair(RunComparison.letter(0), each.in(1));
    String response = each.metric().label();
    Optional<Contrast> lnRatio = noise.lnRatio(each);
    int replicates = each.replicates(interleaved);
    if (lnRatio.isPresent()) {
      String replicate = interleaved ? "block" : "run";
      return ModelledPair.of(pair, response, lnRatio.get(), replicates, replicate);
    }
    return ModelledPair.obstructed(
        pair,
        response,
        interleaved
            ? "%s both, and the first look is after %d"
                .formatted(
                    replicates == 1 ? "1 block has" : Figures.count(replicates, "block") + " have",
                    SequentialComparison.FIRST_LOOK)
            : "one run of each, made at different times, does not show how much two runs of the same differ");
  }

  /** All rows, of all treatments and metrics, are one family. */
  private List<Row> rows(SharedNoise noise) {
    List<ModelledPair> pairs = judged.stream().map(each -> modelled(noise, each)).toList();
    List<TreatmentComparisons.Judged> compared = new ArrayList<>();
    List<LossTest.Row> gated = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      NamedMetric metric = judged.get(i).metric();
      double margin = margins.of(metric);
      compared.add(
          new TreatmentComparisons.Judged(
              pairs.get(i), new ComparisonRule(metric.better(), margin, CONFIDENCE)));
      gated.add(
          new LossTest.Row(
              pairs.get(i), new GateRule(GateRule.DEFAULT.level(), margin, metric.better())));
    }
    boolean everyLook = interleaved && !RunComparison.looksOnce(sides.get(0).runs().get(0));
    List<TreatmentComparisons.Row> verdicts =
        everyLook
            ? SequentialComparison.verdicts(compared)
            : TreatmentComparisons.of(compared, compared.size());
    List<Optional<LossTest>> gates =
        everyLook ? SequentialComparison.judgeAll(gated) : LossTest.judgeAll(gated);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      rows.add(
          new Row(
              judged.get(i).treatment(),
              judged.get(i).metric(),
              judgement(judged.get(i), pairs.get(i), verdicts.get(i)),
              gates.get(i),
              blocksToDecide(pairs.get(i), gated.get(i).rule())));
    }
    return rows;
  }

  private OptionalInt blocksToDecide(ModelledPair pair, GateRule rule) {
    return interleaved && pair.lnRatio().isPresent()
        ? SequentialComparison.blocksToExclude(
            pair.lnRatio().get().standardError() * Math.sqrt(pair.replicates()), rule)
        : OptionalInt.empty();
  }

  private Judgement judgement(
      ComparedMetric each, ModelledPair pair, TreatmentComparisons.Row row) {
    Estimate before = each.figure(0, CONFIDENCE);
    Estimate after = each.figure(1, CONFIDENCE);
    return new Judgement(
        before,
        after,
        row.ratio().orElseGet(() -> Estimate.unreplicated(after.value() / before.value(), "")),
        pair.lnRatio().isPresent()
            ? Figures.count(pair.replicates(), pair.replicate())
            : "not judged",
        row.verdict(),
        row.finding());
  }

  /**
   * The treatments of each metric in one model: of interleaved versions the ratios of each block,
   * of runs made at different times one value a run. Single runs are in none.
   */
  private static final class SharedNoise {
    private static final double OUTLYING = 0.05;

    /** Differences of ln y below this are rounding. */
    private static final double SAME = 1e-9;

    private final boolean interleaved;
    private final List<Part> parts = new ArrayList<>();

    /**
     * What shares its noise.
     *
     * @param widening of the intervals, for blocks that depend on each other
     */
    private record Part(List<ComparedMetric> of, BlockModel model, double widening) {}

    SharedNoise(List<ComparedMetric> all, boolean interleaved) {
      this.interleaved = interleaved;
      Map<NamedMetric, Map<ComparedMetric, List<Measurement>>> shared = new LinkedHashMap<>();
      for (ComparedMetric each : all) {
        if (interleaved || each.repeated()) {
          shared
              .computeIfAbsent(each.metric(), key -> new LinkedHashMap<>())
              .put(each, interleaved ? each.ratiosOfBlocks() : each.valuesOfRuns());
        }
      }
      shared.values().forEach(this::add);
    }

    private void add(Map<ComparedMetric, List<Measurement>> values) {
      List<Measurement> rows = values.values().stream().flatMap(List::stream).toList();
      if (!interleaved && movesAsOne(rows)) {
        values.forEach((each, own) -> parts.add(new Part(List.of(each), BlockModel.of(own), 1)));
      } else if (!rows.isEmpty()) {
        double widening = interleaved ? widening(values.values()) : 1;
        parts.add(new Part(List.copyOf(values.keySet()), BlockModel.of(rows), widening));
      }
    }

    /**
     * Whether the runs differ in all treatments by exactly the same ratio, as coarse values do:
     * then nothing is left beside the runs' own differences that treatments could share.
     */
    private static boolean movesAsOne(List<Measurement> rows) {
      Map<String, Double> levels =
          rows.stream()
              .collect(
                  Collectors.groupingBy(
                      Measurement::treatment,
                      Collectors.averagingDouble(row -> Math.log(row.value()))));
      Map<String, DoubleSummaryStatistics> ofRuns =
          rows.stream()
              .collect(
                  Collectors.groupingBy(
                      Measurement::block,
                      Collectors.summarizingDouble(
                          row ->
                              Math.log(row.value()) - levels.getOrDefault(row.treatment(), 0.0))));
      return ofRuns.values().stream().anyMatch(run -> run.getCount() > 1)
          && ofRuns.values().stream().allMatch(run -> run.getMax() - run.getMin() < SAME);
    }

    private static double widening(Collection<List<Measurement>> treatments) {
      return SequentialComparison.widening(
          treatments.stream()
              .map(of -> of.stream().mapToDouble(each -> Math.log(each.value())).toArray())
              .toList());
    }

    /** ln of candidate over baseline; empty with too few blocks or runs to judge it by. */
    Optional<Contrast> lnRatio(ComparedMetric each) {
      int fewest = interleaved ? SequentialComparison.FIRST_LOOK : 1;
      return parts.stream()
          .filter(part -> part.of().contains(each))
          .filter(part -> each.replicates(interleaved) >= fewest)
          .filter(part -> interleaved || Math.min(each.runs(0).size(), each.runs(1).size()) > 1)
          .map(part -> lnRatio(part, each))
          .findFirst();
    }

    private Contrast lnRatio(Part part, ComparedMetric each) {
      if (!interleaved) {
        return Contrast.ofDifference(ofRuns(part, each.in(0)), ofRuns(part, each.in(1)));
      }
      Contrast ln = each.ofCalls().orElseGet(() -> part.model().lnMean(each.treatment()));
      return new Contrast(ln.value(), ln.standardError() * part.widening(), ln.degreesOfFreedom());
    }

    private static double[] ofRuns(Part part, String of) {
      return part.model().measurements(of).stream()
          .mapToDouble(each -> Math.log(each.value()))
          .toArray();
    }

    /**
     * Values, or ratios of pairs, that do not belong with the others; each stays in every figure.
     */
    List<Finding> outliers() {
      return parts.stream()
          .flatMap(
              part -> part.model().outliers(OUTLYING).stream().map(each -> outlier(part, each)))
          .toList();
    }

    private Finding outlier(Part part, BlockModel.Outlying outlying) {
      NamedMetric metric = part.of().get(0).metric();
      String what =
          interleaved ? "ratio of the %s of B to A".formatted(metric.label()) : metric.label();
      String unit = interleaved ? "" : metric.unit();
      Estimate with = Means.geometric(values(part.model(), outlying, true), unit, CONFIDENCE);
      Estimate without = Means.geometric(values(part.model(), outlying, false), unit, CONFIDENCE);
      return RankingModel.outlying(what, outlying, without, with);
    }

    private static double[] values(BlockModel model, BlockModel.Outlying outlying, boolean withIt) {
      return model.measurements(outlying.measurement().treatment()).stream()
          .filter(each -> withIt || !each.equals(outlying.measurement()))
          .mapToDouble(Measurement::value)
          .toArray();
    }
  }
}
