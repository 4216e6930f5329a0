package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.ModelGate;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Judgement;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.compare.RunComparison.Side;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.util.ArrayList;
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
  private final Set<String> further;
  private final List<String> unlike;
  private final CallLatencies latencies;
  private final List<List<TreatmentTrials>> trials;
  private final List<ComparedMetric> judged = new ArrayList<>();
  private final List<ComparedMetric> shown = new ArrayList<>();
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
    SharedNoise noise = new SharedNoise(judged, interleaved);
    return new RunComparison(
        sides,
        interleaved,
        margins,
        rows(judged, noise, true),
        rows(shown, new SharedNoise(shown, interleaved), false),
        lost,
        notCompared,
        unlike,
        noise.outliers());
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
        ComparedMetric each = new ComparedMetric(trials, latencies, levels, candidate, metric);
        boolean inA = each.values(0).length > 0;
        boolean inCandidate = each.values(candidate).length > 0;
        if (inA && inCandidate) {
          (judge ? judged : shown).add(each);
        } else if (inA || inCandidate) {
          notCompared.add(
              "The %s of %s is not compared: %s has no value of it%s."
                  .formatted(
                      metric.label(),
                      treatment,
                      RunComparison.letter(inA ? candidate : 0),
                      metric.latency().isPresent() ? ", for want of calls" : ""));
        }
      }
    }
  }

  /** The claims of a treatment that probes of a side refuted. */
  private List<String> refuted(Map<String, String> levels, int side) {
    List<String> refuted = new ArrayList<>();
    for (TreatmentTrials run : trials.get(side)) {
      run.trials(levels).stream()
          .findFirst()
          .flatMap(
              trial ->
                  run.run()
                      .plan()
                      .path(trial.settings())
                      .flatMap(path -> path.guarantee(trial.settings())))
          .ifPresent(
              claimed ->
                  refuted.addAll(
                      TreatmentProbes.of(run.run(), levels, Optional.of(claimed))
                          .refuted(claimed)));
    }
    return refuted;
  }

  private ModelledPair modelled(SharedNoise noise, ComparedMetric each) {
    Pair pair = new Pair(RunComparison.letter(0), each.in(each.candidate()));
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

  /** All rows, of all treatments, metrics and candidates, are one family. */
  private List<Row> rows(List<ComparedMetric> all, SharedNoise noise, boolean judge) {
    List<ModelledPair> pairs = all.stream().map(each -> modelled(noise, each)).toList();
    List<TreatmentComparisons.Judged> compared = new ArrayList<>();
    List<ModelGate.Row> gated = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      NamedMetric metric = all.get(i).metric();
      double margin = margins.of(metric);
      compared.add(
          new TreatmentComparisons.Judged(
              pairs.get(i), new ComparisonRule(metric.better(), margin, confidence())));
      gated.add(
          new ModelGate.Row(
              pairs.get(i), new GateRule(GateRule.DEFAULT.level(), margin, metric.better())));
    }
    List<TreatmentComparisons.Row> verdicts =
        interleaved
            ? SequentialComparison.verdicts(compared)
            : TreatmentComparisons.of(compared, compared.size());
    List<Optional<LossTest>> gates =
        interleaved ? SequentialComparison.judgeAll(gated) : ModelGate.judgeAll(gated);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      rows.add(
          new Row(
              all.get(i).treatment(),
              all.get(i).candidate(),
              all.get(i).metric(),
              judgement(all.get(i), pairs.get(i), verdicts.get(i)),
              gates.get(i).filter(test -> judge),
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
    Estimate before = each.mean(0, confidence());
    Estimate after = each.mean(each.candidate(), confidence());
    return new Judgement(
        before,
        after,
        row.ratio().orElseGet(() -> Estimate.unreplicated(after.value() / before.value(), "")),
        pair.lnRatio().isPresent() ? Figures.count(pair.replicates(), pair.replicate()) : "no pair",
        row.verdict(),
        row.finding());
  }

  private double confidence() {
    return 1 - (1 - CONFIDENCE) / (sides.size() - 1);
  }
}
