package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.ModelGate;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Judgement;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes a {@link RunComparison}. */
final class RunComparer {
  private static final double CONFIDENCE = 0.95;
  private static final double OUTLYING = 0.05;

  private final List<RunRecord> runs;
  private final Margins margins;
  private final Set<String> further;
  private final List<String> unlike;
  private final List<TreatmentTrials> trials;
  private final List<Measured> judged = new ArrayList<>();
  private final List<Measured> shown = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<String> notCompared = new ArrayList<>();

  RunComparer(List<RunRecord> runs, Margins margins, Set<String> further, List<String> unlike) {
    this.runs = runs;
    this.margins = margins;
    this.further = further;
    this.unlike = unlike;
    this.trials = runs.stream().map(TreatmentTrials::new).toList();
  }

  RunComparison make() {
    refuseUnknownMetrics();
    for (int candidate = 1; candidate < runs.size(); candidate++) {
      int before = judged.size() + lost.size();
      for (Map<String, String> levels : shared(candidate)) {
        treatment(levels, candidate);
      }
      if (judged.size() + lost.size() == before) {
        throw new RunException(
            "%s and %s share no treatment with valid trials; compare runs of one experiment."
                .formatted(name(0), name(candidate)));
      }
    }
    Map<Part, TreatmentModel> models = models(judged);
    return new RunComparison(
        runs,
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
        NamedMetric.of(runs.stream().flatMap(run -> run.counting().stream()).toList()).stream()
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

  private String name(int run) {
    return String.valueOf(runs.get(run).folder().path().getFileName());
  }

  private Set<Map<String, String>> shared(int candidate) {
    Set<Map<String, String>> shared = new LinkedHashSet<>(trials.get(0).treatments());
    shared.retainAll(trials.get(candidate).treatments());
    return shared;
  }

  private void treatment(Map<String, String> levels, int candidate) {
    TreatmentTrials baseline = trials.get(0);
    TreatmentTrials other = trials.get(candidate);
    if (!baseline.measured(levels)) {
      return;
    }
    String treatment = Labels.of(levels, "the treatment");
    if (!other.measured(levels)) {
      String why =
          other.trials(levels).stream().flatMap(t -> t.why().stream()).findFirst().orElse("");
      lost.add(new Lost(treatment, candidate, why));
      return;
    }
    List<TrialRecord> both = new ArrayList<>(baseline.trials(levels));
    both.addAll(other.trials(levels));
    for (NamedMetric metric : NamedMetric.of(both)) {
      boolean judge = metric.standard() || further.contains(metric.name());
      if (judge || metric.isLatency(LatencyStatistic.P999)) {
        Treatment a = baseline.values(levels, metric.name());
        Treatment b = other.values(levels, metric.name());
        if (a.values().length > 0 && b.values().length > 0) {
          (judge ? judged : shown).add(measured(treatment, candidate, metric, a, b));
        } else if (a.values().length + b.values().length > 0) {
          int without = a.values().length > 0 ? candidate : 0;
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

  /**
   * One metric of one treatment in the baseline and a candidate.
   *
   * @param blocks that both share; empty where they are not paired
   */
  private record Measured(
      String treatment,
      int candidate,
      NamedMetric metric,
      Treatment ofBaseline,
      Treatment ofCandidate,
      List<String> blocks) {

    boolean paired() {
      return !blocks.isEmpty();
    }

    double[] before() {
      return values(ofBaseline);
    }

    double[] after() {
      return values(ofCandidate);
    }

    private double[] values(Treatment of) {
      return paired()
          ? blocks.stream().mapToDouble(b -> of.replicates().getOrDefault(b, 0.0)).toArray()
          : of.values();
    }

    String inCandidate() {
      return treatment + " in " + RunComparison.letter(candidate);
    }

    String inBaseline() {
      return treatment + " in " + RunComparison.letter(0);
    }
  }

  /** Within shared blocks where both plans have one order, else run by run. */
  private Measured measured(
      String treatment, int candidate, NamedMetric metric, Treatment a, Treatment b) {
    boolean oneOrder = runs.get(0).plan().seed() == runs.get(candidate).plan().seed();
    List<String> blocks =
        oneOrder
            ? a.replicates().keySet().stream().filter(b.replicates()::containsKey).toList()
            : List.of();
    return new Measured(treatment, candidate, metric, a, b, blocks);
  }

  /** Treatments that share their noise: one metric of one candidate. */
  private record Part(int candidate, NamedMetric metric, boolean paired) {}

  /** The treatments of each part in one model. */
  private static Map<Part, TreatmentModel> models(List<Measured> all) {
    Map<Part, List<Measurement>> values = new LinkedHashMap<>();
    for (Measured each : all) {
      List<Measurement> part = values.computeIfAbsent(part(each), key -> new ArrayList<>());
      if (each.paired()) {
        double[] before = each.before();
        double[] after = each.after();
        for (int i = 0; i < before.length; i++) {
          part.add(
              new Measurement(
                  each.treatment(), "pairs", each.blocks().get(i), after[i] / before[i]));
        }
      } else {
        add(part, each.inBaseline(), "A", each.ofBaseline());
        add(part, each.inCandidate(), "B", each.ofCandidate());
      }
    }
    Map<Part, TreatmentModel> models = new LinkedHashMap<>();
    values.forEach((part, rows) -> models.put(part, TreatmentModel.of(rows)));
    return models;
  }

  private static Part part(Measured each) {
    return new Part(each.candidate(), each.metric(), each.paired());
  }

  private static void add(List<Measurement> part, String name, String run, Treatment values) {
    values
        .replicates()
        .forEach(
            (block, value) -> part.add(new Measurement(name, "both", run + " " + block, value)));
  }

  private static ModelledPair modelled(TreatmentModel model, Measured each) {
    String one = each.paired() ? each.treatment() : each.inBaseline();
    String other = each.paired() ? each.treatment() : each.inCandidate();
    Pair pair = new Pair(RunComparison.letter(0), each.inCandidate());
    String response = each.metric().label();
    if (model.obstacle(one, other).isPresent()) {
      return new ModelledPair(
          pair,
          response,
          Optional.empty(),
          1,
          "each was measured once, so there is no noise to judge a difference by; run more blocks");
    }
    int blocks = each.paired() ? each.blocks().size() : model.blocks(one, other);
    Contrast ln = each.paired() ? model.lnMean(one) : model.lnRatio(one, other);
    return new ModelledPair(pair, response, Optional.of(ln), blocks, "");
  }

  /** All rows, of all treatments, metrics and candidates, are one family. */
  private List<Row> rows(List<Measured> all, Map<Part, TreatmentModel> models, boolean judge) {
    List<ModelledPair> pairs = new ArrayList<>();
    List<TreatmentComparisons.Judged> compared = new ArrayList<>();
    List<ModelGate.Row> gated = new ArrayList<>();
    for (Measured each : all) {
      TreatmentModel model = models.get(part(each));
      if (model == null) {
        throw new AssertionError("every row is in a model");
      }
      ModelledPair pair = modelled(model, each);
      pairs.add(pair);
      compared.add(new TreatmentComparisons.Judged(pair, comparisonRule(each.metric())));
      gated.add(new ModelGate.Row(pair, gateRule(each.metric())));
    }
    List<TreatmentComparisons.Row> verdicts = TreatmentComparisons.of(compared, compared.size());
    List<GateResult> gates = judge ? ModelGate.judgeAll(gated) : List.of();
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
              judgement(each, verdicts.get(i)),
              judged ? Optional.of(gates.get(i)) : Optional.empty()));
    }
    return rows;
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
        part.paired()
            ? "ratio of the %s of %s to A"
                .formatted(part.metric().label(), RunComparison.letter(part.candidate()))
            : part.metric().label();
    double[] all = values(model, outlying, true);
    double[] rest = values(model, outlying, false);
    String unit = part.paired() ? "" : part.metric().unit();
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

  private Judgement judgement(Measured each, TreatmentComparisons.Row row) {
    Estimate before = Means.geometric(each.before(), each.metric().unit(), confidence());
    Estimate after = Means.geometric(each.after(), each.metric().unit(), confidence());
    return new Judgement(
        before,
        after,
        row.ratio().orElseGet(() -> Estimate.unreplicated(after.value() / before.value(), "")),
        each.paired(),
        row.verdict(),
        row.finding());
  }

  private double confidence() {
    return 1 - (1 - CONFIDENCE) / (runs.size() - 1);
  }

  private ComparisonRule comparisonRule(NamedMetric metric) {
    return new ComparisonRule(metric.better(), margins.of(metric), confidence());
  }

  private GateRule gateRule(NamedMetric metric) {
    return new GateRule(
        GateRule.DEFAULT.pairs(), GateRule.DEFAULT.level(), margins.of(metric), metric.better());
  }
}
