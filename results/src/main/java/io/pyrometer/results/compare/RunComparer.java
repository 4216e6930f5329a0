package io.pyrometer.results.compare;

import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Comparison;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.Comparisons;
import io.pyrometer.analysis.comparison.Gate;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.Subject;
import io.pyrometer.experiment.Labels;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.TreatmentTrials;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes a {@link RunComparison}. */
final class RunComparer {
  private static final double CONFIDENCE = 0.95;

  private final List<RunRecord> runs;
  private final Margins margins;
  private final Set<String> further;
  private final List<String> unlike;
  private final List<TreatmentTrials> trials;
  private final List<Row> rows = new ArrayList<>();
  private final List<Row> shown = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<String> notCompared = new ArrayList<>();
  private final List<Optional<Gate.Metric>> judged = new ArrayList<>();

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
      int before = rows.size() + lost.size();
      for (Map<String, String> levels : shared(candidate)) {
        treatment(levels, candidate);
      }
      if (rows.size() + lost.size() == before) {
        throw new RunException(
            "%s and %s share no treatment with valid trials; compare runs of one experiment."
                .formatted(name(0), name(candidate)));
      }
    }
    return new RunComparison(runs, margins, gated(), shown, lost, notCompared, unlike);
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
          row(treatment, candidate, metric, values(treatment, candidate, metric, a, b), judge);
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

  private void row(
      String treatment, int candidate, NamedMetric metric, Gate.Metric values, boolean judge) {
    Row row =
        new Row(
            treatment, candidate, metric, margins.of(metric), compared(values), Optional.empty());
    if (judge) {
      boolean replicated = values.baseline().length > 1 && values.candidate().length > 1;
      judged.add(replicated ? Optional.of(values) : Optional.empty());
      rows.add(row);
    } else {
      shown.add(row);
    }
  }

  /** Within shared blocks where both plans have one order, else run by run. */
  private Gate.Metric values(
      String treatment, int candidate, NamedMetric metric, Treatment a, Treatment b) {
    List<String> blocks =
        a.replicates().keySet().stream().filter(b.replicates()::containsKey).toList();
    boolean paired =
        !blocks.isEmpty() && runs.get(0).plan().seed() == runs.get(candidate).plan().seed();
    return new Gate.Metric(
        new Subject(
            metric.label(),
            metric.unit(),
            RunComparison.letter(0),
            treatment + " in " + RunComparison.letter(candidate)),
        paired ? values(a, blocks) : a.values(),
        paired ? values(b, blocks) : b.values(),
        paired,
        new GateRule(
            GateRule.DEFAULT.pairs(),
            GateRule.DEFAULT.level(),
            margins.of(metric),
            metric.better()));
  }

  private Comparison compared(Gate.Metric values) {
    double confidence = 1 - (1 - CONFIDENCE) / (runs.size() - 1);
    ComparisonRule rule =
        new ComparisonRule(values.rule().better(), values.rule().margin(), confidence);
    return values.paired()
        ? Comparisons.paired(values.subject(), values.baseline(), values.candidate(), rule)
        : Comparisons.unpaired(values.subject(), values.baseline(), values.candidate(), rule);
  }

  private static double[] values(Treatment treatment, List<String> blocks) {
    return blocks.stream()
        .mapToDouble(block -> treatment.replicates().getOrDefault(block, 0.0))
        .toArray();
  }

  /** All rows, of all treatments, metrics and candidates, share one rate of false alarms. */
  private List<Row> gated() {
    List<GateResult> results = Gate.judgeAll(judged.stream().flatMap(Optional::stream).toList());
    List<Row> gated = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Optional<GateResult> result =
          judged.get(i).isPresent() ? Optional.of(results.get(next++)) : Optional.empty();
      gated.add(
          new Row(
              row.treatment(),
              row.candidate(),
              row.metric(),
              row.margin(),
              row.comparison(),
              result));
    }
    return gated;
  }
}
