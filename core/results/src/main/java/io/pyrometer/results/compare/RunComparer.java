package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.ModelGate;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.TailRatio;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Judgement;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Makes a {@link RunComparison}. */
final class RunComparer {
  private static final double CONFIDENCE = 0.95;
  private static final double OUTLYING = 0.05;
  private static final double NANOS_A_MICRO = 1000;

  /** Differences of ln y below this are rounding. */
  private static final double SAME = 1e-9;

  private final List<Side> sides;
  private final boolean interleaved;
  private final Margins margins;
  private final Set<String> further;
  private final List<String> unlike;
  private final CallLatencies latencies;
  private final List<List<TreatmentTrials>> trials;
  private final List<Measured> judged = new ArrayList<>();
  private final List<Measured> shown = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<String> notCompared = new ArrayList<>();

  RunComparer(
      List<Side> sides,
      boolean interleaved,
      Margins margins,
      Set<String> further,
      List<String> unlike,
      CallLatencies latencies) {
    this.sides = sides;
    this.interleaved = interleaved;
    this.margins = margins;
    this.further = further;
    this.unlike = unlike;
    this.latencies = latencies;
    this.trials =
        sides.stream()
            .map(side -> side.runs().stream().map(TreatmentTrials::new).toList())
            .toList();
  }

  RunComparison make() {
    refuseUnknownMetrics();
    for (int candidate = 1; candidate < sides.size(); candidate++) {
      int before = judged.size() + lost.size();
      for (Map<String, String> levels : shared(candidate)) {
        treatment(levels, candidate);
      }
      if (judged.size() + lost.size() == before) {
        throw new RunException(
            "%s and %s share no treatment with valid trials; compare runs of one experiment."
                .formatted(sides.get(0).name(), sides.get(candidate).name()));
      }
    }
    Map<Part, TreatmentModel> models = models(judged);
    return new RunComparison(
        sides,
        interleaved,
        margins,
        rows(judged, models, true),
        rows(shown, models(shown), false),
        lost,
        notCompared,
        unlike,
        outliers(models));
  }

  private void refuseUnknownMetrics() {
    Set<String> known =
        NamedMetric.of(
                sides.stream()
                    .flatMap(side -> side.runs().stream())
                    .flatMap(run -> run.counting().stream())
                    .toList())
            .stream()
            .map(NamedMetric::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    for (String name : further) {
      if (!known.contains(name)) {
        throw new RunException(
            "No run has a metric '%s' that is better or worse; there are %s."
                .formatted(name, String.join(", ", known)));
      }
    }
  }

  private Set<Map<String, String>> shared(int candidate) {
    Set<Map<String, String>> shared = treatments(0);
    shared.retainAll(treatments(candidate));
    return shared;
  }

  private Set<Map<String, String>> treatments(int side) {
    Set<Map<String, String>> treatments = new LinkedHashSet<>();
    trials.get(side).forEach(run -> treatments.addAll(run.treatments()));
    return treatments;
  }

  private void treatment(Map<String, String> levels, int candidate) {
    List<TreatmentTrials> baseline = trials.get(0);
    List<TreatmentTrials> other = trials.get(candidate);
    if (baseline.stream().noneMatch(run -> run.measured(levels))) {
      return;
    }
    String treatment = Labels.of(levels, "the treatment");
    if (other.stream().noneMatch(run -> run.measured(levels))) {
      String why =
          other.stream()
              .flatMap(run -> run.trials(levels).stream())
              .flatMap(t -> t.why().stream())
              .findFirst()
              .orElse("");
      lost.add(new Lost(treatment, candidate, why, false));
      return;
    }
    refuted(levels, candidate).stream()
        .filter(why -> refuted(levels, 0).isEmpty())
        .findFirst()
        .ifPresent(why -> lost.add(new Lost(treatment, candidate, why, true)));
    List<TrialRecord> both = new ArrayList<>();
    baseline.forEach(run -> both.addAll(run.trials(levels)));
    other.forEach(run -> both.addAll(run.trials(levels)));
    for (NamedMetric metric : NamedMetric.of(both)) {
      boolean judge = metric.standard() || further.contains(metric.name());
      if (judge || CallLatencies.tail(metric).isPresent()) {
        Measured measured = new Measured(levels, treatment, candidate, metric);
        double[] a = values(measured, 0);
        double[] b = values(measured, candidate);
        if (a.length > 0 && b.length > 0) {
          (judge ? judged : shown).add(measured);
        } else if (a.length + b.length > 0) {
          int without = a.length > 0 ? candidate : 0;
          notCompared.add(
              "The %s of %s is not compared: %s has no value of it%s."
                  .formatted(
                      metric.label(),
                      treatment,
                      RunComparison.letter(without),
                      metric.latency().isPresent() ? ", for want of calls" : ""));
        }
      }
    }
  }

  /** The claims of a treatment that probes of a side refuted. */
  private List<String> refuted(Map<String, String> levels, int side) {
    List<String> refuted = new ArrayList<>();
    for (int i = 0; i < trials.get(side).size(); i++) {
      RunRecord run = sides.get(side).runs().get(i);
      trials.get(side).get(i).trials(levels).stream()
          .findFirst()
          .flatMap(trial -> run.plan().path(trial.settings()))
          .flatMap(PathDescription::guarantee)
          .ifPresent(
              claimed ->
                  refuted.addAll(
                      TreatmentProbes.of(run, levels, Optional.of(claimed)).refuted(claimed)));
    }
    return refuted;
  }

  /** One metric of one treatment in the baseline and a candidate. */
  private record Measured(
      Map<String, String> levels, String treatment, int candidate, NamedMetric metric) {

    String in(int side) {
      return treatment + " in " + RunComparison.letter(side);
    }
  }

  /** Of all blocks of all runs of a side. */
  private double[] values(Measured of, int side) {
    return trials.get(side).stream()
        .flatMapToDouble(run -> Arrays.stream(run.values(of.levels(), of.metric().name()).values()))
        .toArray();
  }

  /** By block, of a side whose only run is interleaved with that of the other. */
  private Map<String, Double> blocks(Measured of, int side) {
    return trials.get(side).get(0).values(of.levels(), of.metric().name()).replicates();
  }

  /** The blocks in which both versions have a value. */
  private List<String> sharedBlocks(Measured of) {
    Map<String, Double> other = blocks(of, of.candidate());
    return blocks(of, 0).keySet().stream().filter(other::containsKey).toList();
  }

  /**
   * The value of each run of a side: of a tail the percentile of all its calls, otherwise the
   * geometric mean of its blocks. Runs without a value are left out.
   */
  private Map<String, Double> runs(Measured of, int side) {
    Map<String, Double> runs = new LinkedHashMap<>();
    for (int i = 0; i < trials.get(side).size(); i++) {
      RunRecord run = sides.get(side).runs().get(i);
      double[] blocks = trials.get(side).get(i).values(of.levels(), of.metric().name()).values();
      if (blocks.length > 0) {
        double value =
            calls(of, run, trials.get(side).get(i).trials(of.levels()))
                .map(counts -> LatencyCounts.merged(counts).percentile(percent(of)) / NANOS_A_MICRO)
                .orElseGet(() -> Means.geometric(blocks, "", CONFIDENCE).value());
        runs.put(RunComparison.letter(side) + (i + 1), value);
      }
    }
    return runs;
  }

  private static double percent(Measured of) {
    return CallLatencies.tail(of.metric()).orElseThrow();
  }

  private Optional<List<LatencyCounts>> calls(
      Measured of, RunRecord run, List<TrialRecord> ofTreatment) {
    return latencies.of(
        run,
        ofTreatment.stream().filter(trial -> trial.outcome() == TrialRecord.Outcome.OK).toList(),
        of.metric());
  }

  /** The ratio of a tail by all calls of the shared blocks, where their files are there. */
  private Optional<Contrast> ofCalls(Measured of, List<String> blocks) {
    List<Optional<List<LatencyCounts>>> both = new ArrayList<>();
    for (int side : new int[] {0, of.candidate()}) {
      List<TrialRecord> shared =
          trials.get(side).get(0).trials(of.levels()).stream()
              .filter(trial -> blocks.contains(String.valueOf(trial.block() + 1)))
              .toList();
      both.add(calls(of, sides.get(side).runs().get(0), shared));
    }
    if (both.stream().anyMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    return Optional.of(
        TailRatio.lnRatio(
            both.get(0).orElseThrow(),
            both.get(1).orElseThrow(),
            percent(of),
            new SplittableRandom(sides.get(0).runs().get(0).plan().seed())));
  }

  /**
   * Treatments that share their noise: one metric of one candidate.
   *
   * @param alone the only treatment, where its noise cannot be shared
   */
  private record Part(int candidate, NamedMetric metric, Optional<String> alone) {}

  private static Part shared(Measured each) {
    return new Part(each.candidate(), each.metric(), Optional.empty());
  }

  private static Part alone(Measured each) {
    return new Part(each.candidate(), each.metric(), Optional.of(each.treatment()));
  }

  private static Optional<TreatmentModel> model(Map<Part, TreatmentModel> models, Measured each) {
    return Optional.ofNullable(models.get(shared(each)))
        .or(() -> Optional.ofNullable(models.get(alone(each))));
  }

  /**
   * The treatments of each part in one model: of interleaved versions the ratios of each block, of
   * runs made at different times one value a run. Single runs are in none.
   */
  private Map<Part, TreatmentModel> models(List<Measured> all) {
    Map<Part, Map<Part, List<Measurement>>> values = new LinkedHashMap<>();
    for (Measured each : all) {
      if (interleaved || !single(each.candidate())) {
        values
            .computeIfAbsent(shared(each), part -> new LinkedHashMap<>())
            .put(alone(each), interleaved ? ratios(each) : valuesOfRuns(each));
      }
    }
    Map<Part, TreatmentModel> models = new LinkedHashMap<>();
    values.forEach(
        (part, ofTreatments) -> {
          List<Measurement> rows = ofTreatments.values().stream().flatMap(List::stream).toList();
          if (!interleaved && movesAsOne(rows)) {
            ofTreatments.forEach((alone, own) -> models.put(alone, TreatmentModel.of(own)));
          } else if (!rows.isEmpty()) {
            models.put(part, TreatmentModel.of(rows));
          }
        });
    return models;
  }

  private List<Measurement> ratios(Measured each) {
    Map<String, Double> before = blocks(each, 0);
    Map<String, Double> after = blocks(each, each.candidate());
    return sharedBlocks(each).stream()
        .map(
            block ->
                new Measurement(
                    each.treatment(),
                    "pairs",
                    block,
                    after.getOrDefault(block, 1.0) / before.getOrDefault(block, 1.0)))
        .toList();
  }

  private List<Measurement> valuesOfRuns(Measured each) {
    List<Measurement> values = new ArrayList<>();
    for (int side : new int[] {0, each.candidate()}) {
      runs(each, side)
          .forEach((run, value) -> values.add(new Measurement(each.in(side), "all", run, value)));
    }
    return values;
  }

  /**
   * Whether the runs differ in all treatments by exactly the same ratio, as coarse values do: then
   * nothing is left beside the runs' own differences that treatments could share.
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
                        row -> Math.log(row.value()) - levels.getOrDefault(row.treatment(), 0.0))));
    return ofRuns.values().stream().anyMatch(run -> run.getCount() > 1)
        && ofRuns.values().stream().allMatch(run -> run.getMax() - run.getMin() < SAME);
  }

  private boolean single(int candidate) {
    return sides.get(0).runs().size() + sides.get(candidate).runs().size() == 2;
  }

  private ModelledPair modelled(Map<Part, TreatmentModel> models, Measured each) {
    Pair pair = new Pair(RunComparison.letter(0), each.in(each.candidate()));
    String response = each.metric().label();
    Optional<TreatmentModel> model = model(models, each);
    if (interleaved) {
      List<String> blocks = sharedBlocks(each);
      return blocks.size() < SequentialComparison.FIRST_LOOK || model.isEmpty()
          ? ModelledPair.obstructed(
              pair,
              response,
              "%s both, and the first look is after %d"
                  .formatted(
                      blocks.size() == 1
                          ? "1 block has"
                          : Figures.count(blocks.size(), "block") + " have",
                      SequentialComparison.FIRST_LOOK))
          : ModelledPair.of(
              pair,
              response,
              ofCalls(each, blocks).orElseGet(() -> model.get().lnMean(each.treatment())),
              blocks.size(),
              "block");
    }
    if (model.isEmpty()) {
      return ModelledPair.obstructed(
          pair,
          response,
          "one run of each, made at different times, does not show how much two runs of the same differ");
    }
    int runs = Math.min(runs(each, 0).size(), runs(each, each.candidate()).size());
    boolean repeated = runs(each, 0).size() + runs(each, each.candidate()).size() > 2;
    return repeated
        ? ModelledPair.of(
            pair, response, model.get().lnRatio(each.in(0), each.in(each.candidate())), runs, "run")
        : ModelledPair.obstructed(
            pair,
            response,
            "only one run of each has it, which does not show how much two runs of the same differ");
  }

  /** All rows, of all treatments, metrics and candidates, are one family. */
  private List<Row> rows(List<Measured> all, Map<Part, TreatmentModel> models, boolean judge) {
    List<ModelledPair> pairs = new ArrayList<>();
    List<TreatmentComparisons.Judged> compared = new ArrayList<>();
    List<ModelGate.Row> gated = new ArrayList<>();
    for (Measured each : all) {
      ModelledPair pair = modelled(models, each);
      pairs.add(pair);
      compared.add(new TreatmentComparisons.Judged(pair, comparisonRule(each.metric())));
      gated.add(new ModelGate.Row(pair, gateRule(each.metric())));
    }
    List<TreatmentComparisons.Row> verdicts =
        interleaved
            ? SequentialComparison.verdicts(compared)
            : TreatmentComparisons.of(compared, compared.size());
    List<GateResult> gates = judge ? gates(gated) : List.of();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Measured each = all.get(i);
      boolean judged = judge && pairs.get(i).lnRatio().isPresent();
      rows.add(
          new Row(
              each.treatment(),
              each.candidate(),
              each.metric(),
              margins.of(each.metric()),
              judgement(each, pairs.get(i), verdicts.get(i)),
              judged ? Optional.of(gates.get(i)) : Optional.empty()));
    }
    return rows;
  }

  private List<GateResult> gates(List<ModelGate.Row> rows) {
    return interleaved ? SequentialComparison.judgeAll(rows) : ModelGate.judgeAll(rows);
  }

  /** Values, or ratios of pairs, that do not belong with the others; each stays in every figure. */
  private List<Finding> outliers(Map<Part, TreatmentModel> models) {
    List<Finding> found = new ArrayList<>();
    models.forEach(
        (part, model) ->
            model.outliers(OUTLYING).forEach(each -> found.add(outlier(part, model, each))));
    return found;
  }

  private Finding outlier(Part part, TreatmentModel model, TreatmentModel.Outlying outlying) {
    String what =
        interleaved
            ? "ratio of the %s of %s to A"
                .formatted(part.metric().label(), RunComparison.letter(part.candidate()))
            : part.metric().label();
    double[] all = values(model, outlying, true);
    double[] rest = values(model, outlying, false);
    String unit = interleaved ? "" : part.metric().unit();
    Estimate with = Means.geometric(all, unit, CONFIDENCE);
    Estimate without = Means.geometric(rest, unit, CONFIDENCE);
    return new Finding(
        Finding.Kind.OUTLYING_RUN,
        Finding.Severity.NOTICE,
        "Outlying %s: %s. It is kept in all figures; without it the mean of %s is %s instead of %s."
            .formatted(what, outlying.inWords(), outlying.measurement().treatment(), without, with),
        Map.of("without it", without, "with it", with),
        "The trials of that block and their telemetry, which may show what disturbed one, or more blocks.");
  }

  private static double[] values(
      TreatmentModel model, TreatmentModel.Outlying outlying, boolean withIt) {
    return model.measurements(outlying.measurement().treatment()).stream()
        .filter(each -> withIt || !each.equals(outlying.measurement()))
        .mapToDouble(Measurement::value)
        .toArray();
  }

  private Judgement judgement(Measured each, ModelledPair pair, TreatmentComparisons.Row row) {
    String unit = each.metric().unit();
    Estimate before = Means.geometric(values(each, 0), unit, confidence());
    Estimate after = Means.geometric(values(each, each.candidate()), unit, confidence());
    String replicates =
        pair.lnRatio().isPresent() ? Figures.count(pair.replicates(), pair.replicate()) : "no pair";
    return new Judgement(
        before,
        after,
        row.ratio().orElseGet(() -> Estimate.unreplicated(after.value() / before.value(), "")),
        replicates,
        row.verdict(),
        row.finding());
  }

  private double confidence() {
    return 1 - (1 - CONFIDENCE) / (sides.size() - 1);
  }

  private ComparisonRule comparisonRule(NamedMetric metric) {
    return new ComparisonRule(metric.better(), margins.of(metric), confidence());
  }

  private GateRule gateRule(NamedMetric metric) {
    return new GateRule(GateRule.DEFAULT.level(), margins.of(metric), metric.better());
  }
}
