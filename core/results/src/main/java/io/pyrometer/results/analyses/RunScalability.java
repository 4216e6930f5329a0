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
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialLimits;
import io.pyrometer.results.capacity.TrialDemands;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
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
      return Optional.of(Texts.of("scalability.offered"));
    }
    if (ScalingSeries.of(steps).isPresent()) {
      return Optional.empty();
    }
    int most = ScalingSeries.over(Count.NODES, steps).longest(steps);
    return Optional.of(
        Texts.of(
            "scalability.unmet",
            ScalingSeries.FEWEST,
            most < 2 ? "none does" : "here they are " + most));
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
        .sorted(run.inOrder(TrialSpec::levels))
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
    Optional<Finding> oversubscribed = TrialLimits.oversubscribed(trials);
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
    return Texts.section(
        "scalability.sizes",
        Texts.<Size>table("scalability.sizes")
            .formatted("nodes", size -> size.ofNodes((double) size.nodes()))
            .count("clients", Size::clients)
            .formatted("total", size -> Numbers.whole(size.total().value()))
            .formatted("95 %", size -> Numbers.interval(size.total()))
            .formatted("for each node", s -> s.ofNodes(s.total().value() / s.nodes()))
            .formatted("for each client", s -> Numbers.whole(s.total().value() / s.clients()))
            .figure(
                Texts.of("scalability.sizes.rows"),
                bySize.entrySet().stream()
                    .map(e -> new Size(e.getKey().get(0), e.getKey().get(1), e.getValue()))
                    .sorted(Comparator.comparing(Size::nodes).thenComparing(Size::clients))
                    .toList()));
  }

  /**
   * The load that the servers of one curve could carry with CPUs of their own, by their demands:
   * the bound N·c/D(N) of the bottleneck law, X ≤ 1/max D (Denning and Buzen 1978), beside what the
   * clients and the links could. The scalability law is fitted to the servers' bound, so that its σ
   * and κ are the product's and not those of the machine that all processes shared, and only to
   * numbers of nodes that do the same work: too few nodes for all copies write fewer of them. A
   * number of nodes whose servers mostly compiled or worked idly is no point of the curve.
   */
  private static final class ClusterCurve {
    private static final String RESPONSE = "capacity of the servers";
    private static final String WHAT = "nodes";

    /** The largest share of the servers' CPU time that may be unrelated to the records. */
    private static final double MAX_UNRELATED = 0.5;

    private static final Set<Job> READING = Set.of(Job.AGGREGATE, Job.QUERY, Job.READ);

    /** 10 Gbit/s in bytes. */
    private static final double LINK = 1.25e9;

    private final int cpus;
    private final TreeMap<Integer, List<TrialDemands>> byNodes;

    /** Demands in {@link #byNodes} whose writes go to as many copies as with the most nodes. */
    private final TreeMap<Integer, List<TrialDemands>> alike;

    private ClusterCurve(List<TrialDemands> demands, int cpus) {
      this.cpus = cpus;
      byNodes =
          demands.stream()
              .collect(
                  Collectors.groupingBy(TrialDemands::servers, TreeMap::new, Collectors.toList()));
      int most = demands.stream().mapToInt(ClusterCurve::written).max().orElse(0);
      alike = new TreeMap<>(byNodes);
      alike.values().removeIf(there -> there.stream().anyMatch(d -> written(d) != most));
      if (alike.size() < 2) {
        alike.putAll(byNodes);
      }
    }

    /** Backup copies that a call of the trial writes; 0 of trials that only read. */
    private static int written(TrialDemands demands) {
      return READING.contains(demands.trial().job()) ? 0 : demands.backups();
    }

    /**
     * Result for machines with as many CPUs as the run's own.
     *
     * @return the findings alone where fewer than two numbers of nodes have demands to use
     */
    static StudyResult of(RunRecord run, List<TrialRecord> trials) {
      List<TrialDemands> demands =
          trials.stream().flatMap(t -> TrialDemands.of(run.plan(), t).stream()).toList();
      TreeMap<Integer, Double> refused =
          demands.stream()
              .collect(
                  Collectors.groupingBy(
                      TrialDemands::servers,
                      TreeMap::new,
                      Collectors.averagingDouble(TrialDemands::unrelated)));
      refused.values().removeIf(unrelated -> unrelated <= MAX_UNRELATED);
      ClusterCurve curve =
          new ClusterCurve(
              demands.stream().filter(d -> !refused.containsKey(d.servers())).toList(),
              run.environment().cores());
      List<Finding> findings = refused.isEmpty() ? List.of() : List.of(refusal(refused));
      return curve.byNodes.size() < 2 ? StudyResult.of(findings) : curve.analyze(findings);
    }

    private static Finding refusal(Map<Integer, Double> unrelated) {
      return Finding.warning("scalability.cluster-no-point")
          .with("nodes", unrelated.keySet().stream().map(n -> Figures.count(n, "node")).toList());
    }

    private StudyResult analyze(List<Finding> refusals) {
      List<Observation> observations = new ArrayList<>();
      alike.forEach(
          (nodes, demands) ->
              demands.forEach(
                  d ->
                      observations.add(
                          new Observation(
                              Map.of(WHAT, String.valueOf(nodes)),
                              String.valueOf(d.trial().block() + 1),
                              Map.of(RESPONSE, d.serversBound(cpus))))));
      StudyResult law =
          RunAnalyses.analyze(
              () ->
                  ScalabilityStudy.of(
                      new StudyData(observations, RESPONSE, Rankings.UNIT, ResponseScale.LN),
                      WHAT));
      List<Finding> findings = new ArrayList<>(refusals);
      findings.add(growth());
      // The measured curve has the same numbers of nodes and blocks.
      law.findings().stream()
          .filter(f -> !f.id().equals("scalability.not-enough-runs"))
          .forEach(finding -> findings.add(finding.under("Cluster curve")));
      List<Section> sections = new ArrayList<>(List.of(table()));
      sections.addAll(law.under("cluster", "Cluster curve").sections());
      List<StudyResult.Item> items = new ArrayList<>();
      byNodes
          .keySet()
          .forEach(
              n ->
                  items.add(
                      new StudyResult.Item(
                          "cluster curve at " + n, servers(n), "bound of the servers")));
      law.items()
          .forEach(
              item ->
                  items.add(
                      new StudyResult.Item(
                          "cluster " + item.name(), item.estimate(), item.note())));
      return new StudyResult("", findings, sections, items);
    }

    private Estimate servers(int nodes) {
      return estimate(nodes, d -> d.serversBound(cpus));
    }

    private Estimate clients(int nodes) {
      return estimate(nodes, d -> d.clientsBound((double) nodes * cpus));
    }

    private Optional<Estimate> links(int nodes) {
      return byNodes.getOrDefault(nodes, List.of()).stream()
              .allMatch(d -> d.linksBound(LINK).isPresent())
          ? Optional.of(estimate(nodes, d -> d.linksBound(LINK).orElseThrow()))
          : Optional.empty();
    }

    private Estimate estimate(int nodes, ToDoubleFunction<TrialDemands> of) {
      return Means.geometric(
          byNodes.getOrDefault(nodes, List.of()).stream().mapToDouble(of).toArray(), Rankings.UNIT);
    }

    private Finding growth() {
      int first = alike.firstKey();
      int last = byNodes.lastKey();
      Estimate one = servers(first);
      Estimate all = servers(last);
      return Finding.info("scalability.cluster-growth")
          .with("from", Figures.count(first, "node"))
          .with("to", Figures.count(last, "node"))
          .with("all", Value.rate(all.value()))
          .with("unit", Rankings.UNIT)
          .with("times", Value.ratio(all.value() / one.value()))
          .with("bottleneck", bottleneck(last))
          .with("cluster, fewest nodes", one)
          .with("cluster, most nodes", all);
    }

    private String bottleneck(int nodes) {
      double servers = servers(nodes).value();
      double clients = clients(nodes).value();
      double links = links(nodes).map(Estimate::value).orElse(Double.POSITIVE_INFINITY);
      return servers <= Math.min(clients, links)
          ? "servers"
          : clients <= links ? "clients" : "links";
    }

    private Section table() {
      String fewerCopies =
          alike.size() == byNodes.size()
              ? ""
              : " " + Texts.of("scalability.fewer-copies", alike.firstKey());
      Figure figure =
          Texts.<Integer>table("scalability.cluster")
              .formatted("nodes", String::valueOf)
              .formatted(
                  "measured together",
                  nodes -> value(estimate(nodes, TrialDemands::recordsPerSecond)))
              .formatted("servers", nodes -> value(servers(nodes)))
              .formatted("95 %", nodes -> Numbers.interval(servers(nodes)))
              .formatted("clients", nodes -> value(clients(nodes)))
              .formatted(
                  "links", nodes -> links(nodes).map(ClusterCurve::value).orElse(Table.ABSENT))
              .formatted("oversubscribed", nodes -> isOversubscribed(nodes) ? "yes" : "no")
              .figure(Texts.of("scalability.cluster.rows"), List.copyOf(byNodes.keySet()));
      return Texts.section(
          "scalability.cluster",
          Texts.of("scalability.cluster.lead", cpus) + fewerCopies,
          List.of(figure));
    }

    private boolean isOversubscribed(int nodes) {
      return byNodes.getOrDefault(nodes, List.of()).stream()
          .anyMatch(demands -> demands.trial().oversubscribed());
    }

    private static String value(Estimate rate) {
      return Numbers.whole(rate.value());
    }
  }
}
