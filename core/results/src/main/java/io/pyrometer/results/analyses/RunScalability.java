package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.experiment.design.ScalingSeries.Step;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
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
import java.util.TreeSet;
import java.util.stream.Collectors;

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
  public boolean abridged() {
    return true;
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    List<Step> steps =
        treatments.stream()
            .filter(each -> isClosedLoop(each.settings()))
            .map(each -> new Step(each.levels(), each.settings()))
            .toList();
    if (steps.isEmpty()) {
      return Optional.of(
          "'scalability' fits throughput, which 'rate' sets in every treatment; remove one of"
              + " them.");
    }
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
    List<Step> planned = steps(run).stream().filter(step -> isClosedLoop(step.settings())).toList();
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

  /** Throughput that was offered follows no law. */
  private static boolean isClosedLoop(Settings settings) {
    return settings.find(CoreSettings.RATE).orElse(0.0) == 0;
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
            .filter(t -> isClosedLoop(t.settings()))
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
    Optional<Finding> oversubscribed =
        Oversubscription.of(
            trials,
            "the measured curve shows what the CPUs of one machine can carry, not how a cluster"
                + " scales");
    List<Finding> findings = new ArrayList<>(studied.findings());
    List<StudyResult.Item> items = new ArrayList<>(studied.items());
    oversubscribed.ifPresent(findings::add);
    if (series.count() == Count.NODES) {
      StudyResult cluster = ClusterCurve.of(run, trials);
      // Where the machine was used up, the measured curve is not that of a cluster.
      findings.addAll(oversubscribed.isPresent() ? 0 : findings.size(), cluster.findings());
      sections.addAll(cluster.sections());
      items.addAll(cluster.items());
    }
    return new StudyResult(studied.about(), findings, sections, items);
  }

  /** The trials with one number of nodes and clients. */
  private record Size(long nodes, long clients, List<TrialRecord> trials) {
    Estimate total() {
      return Means.geometric(
          trials.stream().mapToDouble(t -> t.throughput().orElseThrow()).toArray(), Rankings.UNIT);
    }

    String ofNodes(double value) {
      return nodes == 0 ? Table.ABSENT : Numbers.whole(value);
    }
  }

  /** Throughput in total, for each node and for each client, at each number of them. */
  private static Section sizes(List<TrialRecord> trials) {
    Map<List<Long>, List<TrialRecord>> bySize =
        trials.stream()
            .collect(
                Collectors.groupingBy(
                    t -> List.of(Count.NODES.of(t.settings()), Count.CLIENTS.of(t.settings()))));
    return Section.of(
        "sizes",
        "Total, by node, by client",
        "All fits are of the total. A share for each node or client falls even where the total"
            + " grows; it is no throughput of the cluster.",
        new MetricTable<Size>(
                "no interval: it needs two blocks; an attached grid's servers are not counted")
            .formatted("nodes", size -> size.ofNodes((double) size.nodes()))
            .count("clients", Size::clients)
            .formatted("total", size -> Numbers.whole(size.total().value()))
            .formatted("95 %", size -> Numbers.interval(size.total()))
            .formatted("for each node", s -> s.ofNodes(s.total().value() / s.nodes()))
            .formatted("for each client", s -> Numbers.whole(s.total().value() / s.clients()))
            .figure(
                "Records a second, geometric mean over the blocks; clients are load threads",
                bySize.entrySet().stream()
                    .map(e -> new Size(e.getKey().get(0), e.getKey().get(1), e.getValue()))
                    .sorted(Comparator.comparing(Size::nodes).thenComparing(Size::clients))
                    .toList()));
  }
}
