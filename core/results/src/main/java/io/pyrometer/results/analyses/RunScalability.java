package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.experiment.design.ScalingSeries.Step;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialLimits;
import io.pyrometer.results.capacity.TrialDemands;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.ScalabilityStudy;
import io.pyrometer.results.study.StudyResult;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The scalability law of a run, on the total throughput of the cluster: a curve for each
 * combination of the levels that do not set the number of nodes (or of clients, where the nodes
 * stay).
 */
final class RunScalability implements Analysis {
  private static final String RESPONSE = "total throughput";
  private static final String CAPACITY = "capacity of the servers";

  /** The largest share of the servers' CPU time that may be unrelated to the records. */
  private static final double MAX_UNRELATED = 0.5;

  private static final Set<Job> READING = Set.of(Job.AGGREGATE, Job.QUERY, Job.READ);

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
      return Optional.of(Texts.of("scalability.offered"));
    }
    return ScalingSeries.of(steps).isPresent()
        ? Optional.empty()
        : Optional.of(Texts.of("scalability.unmet", ScalingSeries.FEWEST));
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
    return RunAnalysis.parts(
        id(), RESPONSE, Rankings.UNIT, curves, (part, numbers) -> curve(run, series, part));
  }

  /** Throughput that was offered follows no law. */
  private static boolean isClosedLoop(Settings settings) {
    return settings.find(CoreSettings.RATE).orElse(0.0) == 0;
  }

  /** The treatments of a run in the order of its experiment. */
  static List<Step> steps(RunRecord run) {
    return run.plan().trials().stream()
        .filter(trial -> trial.block() == 0)
        .sorted(run.inOrder(TrialSpec::levels))
        .map(trial -> new Step(trial.levels(), trial.settings()))
        .toList();
  }

  private static StudyResult curve(RunRecord run, ScalingSeries series, Map<String, String> curve) {
    String what = Phrases.word(series.count());
    List<TrialRecord> trials =
        run.counting(t -> t.valid() && t.throughput().isPresent()).stream()
            .filter(t -> isClosedLoop(t.settings()))
            .filter(t -> series.curve(t.levels()).equals(curve))
            .toList();
    StudyResult studied =
        law(
            what,
            RESPONSE,
            trials.stream()
                .map(
                    t ->
                        point(
                            t,
                            Map.of(what, String.valueOf(series.count().of(t.settings()))),
                            Map.of(RESPONSE, t.throughput().orElseThrow()))));
    List<Section> sections = new ArrayList<>(studied.sections());
    Optional<Finding> oversubscribed = TrialLimits.oversubscribed(trials);
    List<Finding> findings = new ArrayList<>(studied.findings());
    oversubscribed.ifPresent(findings::add);
    if (series.count() == Count.NODES) {
      StudyResult cluster = clusterCurve(run, trials);
      // Where the machine was used up, the measured curve is not that of a cluster.
      findings.addAll(oversubscribed.isPresent() ? 0 : findings.size(), cluster.findings());
      sections.addAll(cluster.sections());
    }
    return new StudyResult(studied.about(), findings, sections);
  }

  private static Observation point(
      TrialRecord trial, Map<String, String> number, Map<String, Double> value) {
    return new Observation(number, String.valueOf(trial.block() + 1), value);
  }

  private static StudyResult law(String what, String response, Stream<Observation> points) {
    return ScalabilityStudy.of(
        new StudyData(points.toList(), response, Rankings.UNIT, ResponseScale.LN), what);
  }

  /**
   * The load that the servers of one curve could carry with CPUs of their own, as many as the run's
   * machine has, by their demands: the bound N·c/D(N) of the bottleneck law, X ≤ 1/max D (Denning
   * and Buzen 1978). The scalability law is fitted to it, so that its σ and κ are the product's and
   * not those of the machine that all processes shared, and only to numbers of nodes that do the
   * same work: too few nodes for all copies write fewer of them. A number of nodes whose servers
   * mostly compiled or worked idly is no point of the curve.
   *
   * @return the findings alone where fewer than two numbers of nodes have demands to use
   */
  private static StudyResult clusterCurve(RunRecord run, List<TrialRecord> trials) {
    TreeMap<Integer, List<TrialDemands>> byNodes =
        trials.stream()
            .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
            .collect(
                Collectors.groupingBy(TrialDemands::servers, TreeMap::new, Collectors.toList()));
    List<String> refused =
        byNodes.entrySet().stream()
            .filter(each -> isUnrelated(each.getValue()))
            .map(each -> Figures.count(each.getKey(), "node"))
            .toList();
    List<Finding> findings = new ArrayList<>();
    byNodes.values().removeIf(RunScalability::isUnrelated);
    Finding.warning("scalability.cluster-no-point")
        .naming("nodes", refused)
        .ifPresent(findings::add);
    if (byNodes.size() < 2) {
      return StudyResult.of(findings);
    }
    SortedMap<Integer, List<TrialDemands>> alike = alike(byNodes);
    int cpus = run.environment().cores();
    StudyResult law =
        RunAnalysis.analyze(
            () ->
                law(
                    "nodes",
                    CAPACITY,
                    alike.values().stream()
                        .flatMap(List::stream)
                        .map(
                            each ->
                                point(
                                    each.trial(),
                                    Map.of("nodes", String.valueOf(each.servers())),
                                    Map.of(CAPACITY, each.serversBound(cpus))))));
    Function<List<TrialDemands>, Estimate> bound = each -> mean(each, d -> d.serversBound(cpus));
    List<List<TrialDemands>> points = List.copyOf(byNodes.values());
    Estimate one = bound.apply(List.copyOf(alike.values()).get(0));
    Estimate all = bound.apply(points.get(points.size() - 1));
    findings.add(
        Finding.info("scalability.cluster-growth")
            .with("from", Figures.count(alike.firstKey(), "node"))
            .with("to", Figures.count(byNodes.lastKey(), "node"))
            .with("all", Value.rate(all.value()))
            .with("unit", Rankings.UNIT)
            .with("times", Value.ratio(all.value() / one.value()))
            .with("cluster, fewest nodes", one)
            .with("cluster, most nodes", all));
    // The measured curve has the same numbers of nodes and blocks.
    law.findings().stream()
        .filter(f -> !f.id().equals("scalability.not-enough-runs"))
        .forEach(finding -> findings.add(finding.under("Cluster curve")));
    Figure table =
        Texts.<List<TrialDemands>>table("scalability.cluster")
            .count("nodes", demands -> demands.get(0).servers())
            .estimate(
                "measured together",
                demands -> Optional.of(mean(demands, TrialDemands::recordsPerSecond)))
            .estimate("servers", demands -> Optional.of(bound.apply(demands)))
            .text(
                "oversubscribed",
                demands ->
                    demands.stream().anyMatch(d -> d.trial().oversubscribed()) ? "yes" : "no")
            .figure(Texts.of("scalability.cluster.rows"), points);
    String lead = Texts.of("scalability.cluster.lead", cpus);
    String fewerCopies = " " + Texts.of("scalability.fewer-copies", alike.firstKey());
    List<Section> sections = new ArrayList<>();
    sections.add(
        Texts.section(
            "scalability.cluster",
            alike.size() == byNodes.size() ? lead : lead + fewerCopies,
            List.of(table)));
    sections.addAll(law.under("cluster", "Cluster curve").sections());
    return new StudyResult("", findings, sections);
  }

  /** True where most of the servers' CPU time had nothing to do with records. */
  private static boolean isUnrelated(List<TrialDemands> demands) {
    return demands.stream().mapToDouble(TrialDemands::unrelated).average().orElse(0)
        > MAX_UNRELATED;
  }

  /** Those whose writes go to as many copies as with the most nodes. */
  private static SortedMap<Integer, List<TrialDemands>> alike(
      SortedMap<Integer, List<TrialDemands>> byNodes) {
    int most =
        byNodes.values().stream()
            .flatMap(List::stream)
            .mapToInt(RunScalability::written)
            .max()
            .orElse(0);
    SortedMap<Integer, List<TrialDemands>> alike = new TreeMap<>(byNodes);
    alike.values().removeIf(there -> there.stream().anyMatch(d -> written(d) != most));
    return alike.size() < 2 ? byNodes : alike;
  }

  /** Backup copies that a call of the trial writes; 0 of trials that only read. */
  private static int written(TrialDemands demands) {
    return READING.contains(demands.trial().job()) ? 0 : demands.backups();
  }

  private static Estimate mean(List<TrialDemands> demands, ToDoubleFunction<TrialDemands> of) {
    return Means.geometric(demands.stream().mapToDouble(of).toArray(), Rankings.UNIT);
  }
}
