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
import io.pyrometer.journal.RunException;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.run.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a {@link RunComparison}. */
final class Comparing {
  private static final double CONFIDENCE = 0.95;

  private final List<RunRecord> runs;
  private final Margins margins;
  private final List<String> unlike;
  private final List<Replicates> replicates;
  private final List<Row> rows = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<Optional<Gate.Metric>> judged = new ArrayList<>();

  Comparing(List<RunRecord> runs, Margins margins, List<String> unlike) {
    this.runs = runs;
    this.margins = margins;
    this.unlike = unlike;
    this.replicates = runs.stream().map(Replicates::new).toList();
  }

  RunComparison make() {
    for (int candidate = 1; candidate < runs.size(); candidate++) {
      int before = rows.size() + lost.size();
      for (Map<String, String> levels : shared(candidate)) {
        treatment(levels, candidate);
      }
      if (rows.size() + lost.size() == before) {
        throw new RunException(
            "%s and %s share no treatment with trials that are right; compare runs of one experiment."
                .formatted(name(0), name(candidate)));
      }
    }
    return new RunComparison(runs, margins, gated(), lost, unlike);
  }

  private String name(int run) {
    return String.valueOf(runs.get(run).folder().path().getFileName());
  }

  private Set<Map<String, String>> shared(int candidate) {
    Set<Map<String, String>> shared = new LinkedHashSet<>(replicates.get(0).treatments());
    shared.retainAll(replicates.get(candidate).treatments());
    return shared;
  }

  private void treatment(Map<String, String> levels, int candidate) {
    Replicates reference = replicates.get(0);
    Replicates other = replicates.get(candidate);
    if (!reference.right(levels)) {
      return;
    }
    String treatment = label(levels);
    if (!other.right(levels)) {
      String why =
          other.trials(levels).stream().flatMap(t -> t.why().stream()).findFirst().orElse("");
      lost.add(new Lost(treatment, candidate, why));
      return;
    }
    for (Metric metric : Metric.values()) {
      Treatment a = reference.of(levels, metric);
      Treatment b = other.of(levels, metric);
      if (a.values().length > 0 && b.values().length > 0) {
        rows.add(row(treatment, candidate, metric, a, b));
      }
    }
  }

  private String label(Map<String, String> levels) {
    return Labels.of(levels, "the treatment");
  }

  /** Within shared blocks where both plans have one order, else run by run. */
  private Row row(String treatment, int candidate, Metric metric, Treatment a, Treatment b) {
    List<String> blocks =
        a.replicates().keySet().stream().filter(b.replicates()::containsKey).toList();
    boolean paired =
        !blocks.isEmpty() && runs.get(0).plan().seed() == runs.get(candidate).plan().seed();
    Subject subject =
        new Subject(
            metric.label(),
            metric.unit(),
            RunComparison.letter(0),
            treatment + " in " + RunComparison.letter(candidate));
    Gate.Metric values =
        new Gate.Metric(
            subject,
            paired ? values(a, blocks) : a.values(),
            paired ? values(b, blocks) : b.values(),
            paired,
            new GateRule(
                GateRule.DEFAULT.pairs(),
                GateRule.DEFAULT.level(),
                margins.of(metric),
                metric.better()));
    boolean replicated = values.baseline().length > 1 && values.candidate().length > 1;
    judged.add(replicated ? Optional.of(values) : Optional.empty());
    return new Row(treatment, candidate, metric, compared(values), Optional.empty());
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

  /** All rows share one rate of false alarms. */
  private List<Row> gated() {
    List<GateResult> results = Gate.judgeAll(judged.stream().flatMap(Optional::stream).toList());
    List<Row> gated = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Optional<GateResult> result =
          judged.get(i).isPresent() ? Optional.of(results.get(next++)) : Optional.empty();
      gated.add(new Row(row.treatment(), row.candidate(), row.metric(), row.comparison(), result));
    }
    return gated;
  }
}
