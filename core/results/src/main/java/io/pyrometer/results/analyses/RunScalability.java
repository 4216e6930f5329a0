package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.experiment.design.ScalingSeries.Step;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.LevelOrder;
import io.pyrometer.results.Oversubscription;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.ScalabilityStudy;
import io.pyrometer.results.study.StudyData;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The scalability law of a run, on the total throughput of the cluster: a curve for each
 * combination of the levels that do not set the number of nodes (or of clients, where the nodes
 * stay).
 */
public final class RunScalability implements Analysis {
  private static final String RESPONSE = "total throughput";

  @Override
  public String id() {
    return "scalability";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    List<Step> steps =
        treatments.stream().map(each -> new Step(each.levels(), each.settings())).toList();
    if (ScalingSeries.of(steps).isPresent()) {
      return Optional.empty();
    }
    int most = ScalingSeries.over(Count.NODES, steps).longest(steps);
    return Optional.of(
        "'scalability' needs a factor that sets %d or more numbers of nodes (or else of agents or threads), and %s; add levels or remove it."
            .formatted(ScalingSeries.FEWEST, most < 2 ? "none does" : "here they are " + most));
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<Step> planned = steps(run);
    ScalingSeries series =
        ScalingSeries.of(planned).orElseGet(() -> ScalingSeries.over(Count.NODES, planned));
    Map<Map<String, String>, TreeSet<Long>> curves = new LinkedHashMap<>();
    for (Step step : planned) {
      curves
          .computeIfAbsent(series.curve(step.levels()), c -> new TreeSet<>())
          .add(series.count().of(step.settings()));
    }
    int most = curves.values().stream().mapToInt(TreeSet::size).max().orElse(0);
    curves.values().removeIf(numbers -> numbers.size() < Math.min(most, ScalingSeries.FEWEST));
    List<Map<String, String>> parts = List.copyOf(curves.keySet());
    return parts.parallelStream()
        .map(
            part ->
                new RunAnalysis(
                    id(),
                    Phrases.differing(part, parts),
                    RESPONSE,
                    Rankings.UNIT,
                    true,
                    RunAnalyses.analyze(() -> curve(run, series, part))))
        .toList();
  }

  /** The treatments of a run in the order of its experiment. */
  static List<Step> steps(RunRecord run) {
    return run.plan().trials().stream()
        .filter(trial -> trial.block() == 0)
        .sorted(LevelOrder.of(run).comparing(TrialSpec::levels))
        .map(trial -> new Step(trial.levels(), trial.settings()))
        .toList();
  }

  private static StudyResult curve(RunRecord run, ScalingSeries series, Map<String, String> curve) {
    String what = series.count().name().toLowerCase(Locale.ROOT);
    List<TrialRecord> trials =
        run.counting().stream()
            .filter(t -> t.outcome() == Outcome.OK && t.throughput().isPresent())
            .filter(t -> series.curve(t.levels()).equals(curve))
            .toList();
    List<Observation> observations =
        trials.stream()
            .map(
                t ->
                    new Observation(
                        Map.of(what, String.valueOf(series.count().of(t.settings()))),
                        String.valueOf(t.block() + 1),
                        Map.of(RESPONSE, t.throughput().orElseThrow())))
            .toList();
    StudyResult studied =
        ScalabilityStudy.of(
            new StudyData(observations, RESPONSE, Rankings.UNIT, ResponseScale.LN), what);
    List<Section> sections = new ArrayList<>(studied.sections());
    sections.add(0, sizes(trials));
    List<Finding> findings = new ArrayList<>(studied.findings());
    Oversubscription.of(
            trials,
            "the measured curve shows what the CPUs of one machine can carry, not how a cluster"
                + " scales")
        .ifPresent(findings::add);
    List<StudyResult.Item> items = new ArrayList<>(studied.items());
    if (series.count() == Count.NODES) {
      ClusterCurve.of(run, trials)
          .ifPresent(
              cluster -> {
                findings.addAll(cluster.findings());
                sections.addAll(cluster.sections());
                items.addAll(cluster.items());
              });
    }
    return new StudyResult(studied.about(), findings, sections, items);
  }

  private record Size(long nodes, long clients) {}

  /** Throughput in total, for each node and for each client, at each number of them. */
  private static Section sizes(List<TrialRecord> trials) {
    Comparator<Size> order = Comparator.comparingLong(Size::nodes);
    Map<Size, List<Double>> bySize = new TreeMap<>(order.thenComparingLong(Size::clients));
    for (TrialRecord trial : trials) {
      Size size = new Size(Count.NODES.of(trial.settings()), Count.CLIENTS.of(trial.settings()));
      bySize.computeIfAbsent(size, s -> new ArrayList<>()).add(trial.throughput().orElseThrow());
    }
    record Row(Size size, Estimate total) {
      String ofNodes(ToDoubleFunction<Row> figure) {
        return size.nodes() == 0 ? Table.ABSENT : Numbers.whole(figure.applyAsDouble(this));
      }
    }
    return new Section(
        "sizes",
        "Total, by node, by client",
        "All fits are of the total. A share for each node or client falls even where the total"
            + " grows; it is no throughput of the cluster.",
        List.of(
            new MetricTable<Row>(
                    "no interval: it needs two blocks; an attached grid's servers are not counted")
                .formatted("nodes", row -> row.ofNodes(r -> r.size().nodes()))
                .count("clients", row -> row.size().clients())
                .formatted("total", row -> Numbers.whole(row.total().value()))
                .formatted("95 %", row -> Numbers.interval(row.total()))
                .formatted(
                    "for each node", row -> row.ofNodes(r -> r.total().value() / r.size().nodes()))
                .formatted(
                    "for each client",
                    row -> Numbers.whole(row.total().value() / row.size().clients()))
                .figure(
                    "Records a second, geometric mean over the blocks; clients are load threads",
                    bySize.entrySet().stream()
                        .map(e -> new Row(e.getKey(), total(e.getValue())))
                        .toList())));
  }

  private static Estimate total(List<Double> values) {
    return Means.geometric(
        values.stream().mapToDouble(Double::doubleValue).toArray(), Rankings.UNIT, 0.95);
  }
}
