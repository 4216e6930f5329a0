package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.capacity.DemandModel;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.LevelOrder;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.TrialDemands;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The service demands of a run: what clients and servers use for one record, and how that goes with
 * the number of servers.
 */
final class RunDemands {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "demands";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunDemands.of(run);
    }

    @Override
    public boolean always(RunRecord run) {
      return recorded(run);
    }
  }

  private static final String NOT_RECORDED =
      "not recorded of these processes, such as those of an attached grid; no interval: it needs two"
          + " blocks";

  private static final double CONFIDENCE = 0.95;
  private static final double MICROS = 1e6;

  /** Of calls in flight on a curve, which do not vary and are no term of its model. */
  private static final double MANY = 1e9;

  private final RunRecord run;
  private final Map<Map<String, String>, List<TrialDemands>> byTreatment = new LinkedHashMap<>();

  private RunDemands(RunRecord run) {
    this.run = run;
    run.counting().stream()
        .sorted(LevelOrder.of(run).comparing(TrialRecord::levels))
        .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
        .forEach(
            demands ->
                byTreatment
                    .computeIfAbsent(demands.trial().levels(), l -> new ArrayList<>())
                    .add(demands));
  }

  /** One analysis of the whole run; none if no trial records demands. */
  static List<RunAnalysis> of(RunRecord run) {
    RunDemands demands = new RunDemands(run);
    return List.of(
        new RunAnalysis(
            "demands",
            "",
            "Service demands",
            "µs",
            run.plan().experiment().analyses().contains("demands"),
            RunAnalyses.analyze(demands::analyze)));
  }

  /** Whether some trial of the run records demands. */
  static boolean recorded(RunRecord run) {
    return run.counting().stream()
        .anyMatch(trial -> TrialDemands.of(run.plan(), trial).isPresent());
  }

  private StudyResult analyze() {
    if (byTreatment.isEmpty()) {
      throw new BadDataException(
          "No valid trial records service demands of clients and servers; runs of older versions"
              + " and attached grids have none.");
    }
    List<StudyResult.Item> items = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    figures.add(
        IntervalChart.bars(
            "CPU time of the servers for one record, without compilers and idle work",
            "µs/record",
            ranked(d -> d.serverSeconds() * MICROS)));
    figures.add(
        IntervalChart.bars(
            "CPU time of the clients for one record, without compilers",
            "µs/record",
            ranked(d -> d.clientSeconds() * MICROS)));
    List<Role> roles = roles();
    roles.forEach(
        role ->
            items.add(
                new StudyResult.Item(
                    role.label() + ", " + role.words(), role.seconds(), "CPU time")));
    figures.add(cpuTable().figure("For one record, over all processes of a role", roles));
    figures.add(networkTable().figure("Bytes and system calls of one record", roles));
    List<Finding> findings = new ArrayList<>();
    curves(findings, items).ifPresent(figures::add);
    Section section =
        new Section(
            "table",
            "Service demands",
            "What one record costs, by the utilisation law: it does not depend on how long processes"
                + " waited for each other. Compilers (jit) are shown and left out of demands, since"
                + " they end once the code is warm; so is the work of a server without load (idle)."
                + " Bytes and calls are those of read and write system calls, on files too.",
            figures);
    return new StudyResult("", findings, List.of(section), items);
  }

  private static String label(Map<String, String> levels) {
    return Labels.of(levels, "all trials");
  }

  private List<Ranked> ranked(ToDoubleFunction<TrialDemands> of) {
    List<Ranked> rows = new ArrayList<>();
    byTreatment.forEach(
        (levels, demands) ->
            rows.add(new Ranked(label(levels), estimate(demands, of, "µs"), Optional.empty(), "")));
    return rows;
  }

  private static Estimate estimate(
      List<TrialDemands> demands, ToDoubleFunction<TrialDemands> of, String unit) {
    return Means.geometric(demands.stream().mapToDouble(of).toArray(), unit, CONFIDENCE);
  }

  /** The demands of one treatment's clients or servers. */
  private record Role(String label, boolean servers, List<TrialDemands> demands) {
    Estimate seconds() {
      return estimate(
          demands, d -> MICROS * (servers ? d.serverSeconds() : d.clientSeconds()), "µs");
    }

    String words() {
      return servers ? "servers" : "clients";
    }

    String mean(String metric) {
      return RunDemands.mean(
          demands, (servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS) + metric);
    }

    String ofServers(String metric) {
      return servers ? RunDemands.mean(demands, metric) : "";
    }
  }

  private List<Role> roles() {
    List<Role> roles = new ArrayList<>();
    byTreatment.forEach(
        (levels, demands) -> {
          roles.add(new Role(label(levels), false, demands));
          roles.add(new Role(label(levels), true, demands));
        });
    return roles;
  }

  private static MetricTable<Role> cpuTable() {
    return new MetricTable<Role>(NOT_RECORDED)
        .text("treatment", Role::label)
        .text("role", Role::words)
        .formatted("demand µs", role -> Numbers.shorten(role.seconds().value()))
        .formatted("95 %", role -> Numbers.interval(role.seconds()))
        .formatted("user µs", role -> role.mean("user"))
        .formatted("system µs", role -> role.mean("system"))
        .formatted("gc µs", role -> role.mean("gc"))
        .formatted("jit µs", role -> role.mean("jit"))
        .formatted("idle ms/s", role -> role.ofServers(Metric.IDLE_SERVER))
        .formatted("memory bytes", role -> role.ofServers(Metric.MEMORY));
  }

  private static MetricTable<Role> networkTable() {
    return new MetricTable<Role>(NOT_RECORDED)
        .text("treatment", Role::label)
        .text("role", Role::words)
        .formatted("bytes out", role -> role.mean(Metric.DEMAND_BYTES_OUT))
        .formatted("bytes in", role -> role.mean(Metric.DEMAND_BYTES_IN))
        .formatted("writes", role -> role.mean(Metric.DEMAND_MESSAGES_OUT))
        .formatted("reads", role -> role.mean(Metric.DEMAND_MESSAGES_IN))
        .formatted("bytes between servers", role -> role.servers() ? between(role.demands()) : "");
  }

  /** What servers write and no client reads goes to other servers. */
  private static String between(List<TrialDemands> demands) {
    String out = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_OUT;
    String in = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_BYTES_IN;
    return demands.stream()
        .filter(d -> d.trial().value(out).isPresent() && d.trial().value(in).isPresent())
        .mapToDouble(
            d ->
                Math.max(0, d.trial().value(out).orElseThrow() - d.trial().value(in).orElseThrow()))
        .average()
        .stream()
        .mapToObj(Numbers::shorten)
        .findFirst()
        .orElse(Table.ABSENT);
  }

  private static String mean(List<TrialDemands> demands, String metric) {
    return demands.stream()
        .flatMap(d -> d.trial().value(metric).stream())
        .mapToDouble(Double::doubleValue)
        .average()
        .stream()
        .mapToObj(Numbers::shorten)
        .findFirst()
        .orElse(Table.ABSENT);
  }

  /** The terms of the demands over the number of servers, fitted block by block. */
  private Optional<Figure> curves(List<Finding> findings, List<StudyResult.Item> items) {
    ScalingSeries ladder = ScalingSeries.over(Count.NODES, RunScalability.steps(run));
    Map<Map<String, String>, List<TrialDemands>> byCurve = new LinkedHashMap<>();
    byTreatment
        .values()
        .forEach(
            demands ->
                demands.forEach(
                    d ->
                        byCurve
                            .computeIfAbsent(
                                ladder.curve(d.trial().levels()), c -> new ArrayList<>())
                            .add(d)));
    List<Map<String, String>> parts = List.copyOf(byCurve.keySet());
    List<List<String>> rows = new ArrayList<>();
    byCurve.forEach(
        (curve, demands) -> {
          if (demands.stream().map(TrialDemands::servers).distinct().count() >= 2) {
            String part = Phrases.differing(curve, parts);
            String name = part.isEmpty() ? "all trials" : part;
            rows.add(row(name, "clients", demands, TrialDemands::clientSeconds, items));
            rows.add(row(name, "servers", demands, TrialDemands::serverSeconds, items));
            findings.add(finding(name, demands));
          }
        });
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Figure.of(
                "D(N) = base + backup·min(b, N−1) + hop·(1 − 1/N) of N servers and b backups, µs"
                    + " for one record, fitted in each block; no term is negative",
                Table.of(
                    List.of("treatments", "role", "base", "backup", "hop", "D at 1", "D at most"),
                    2,
                    rows)));
  }

  private static List<DemandModel> fits(
      List<TrialDemands> demands, ToDoubleFunction<TrialDemands> of) {
    Map<Integer, List<DemandModel.Point>> byBlock = new TreeMap<>();
    for (TrialDemands d : demands) {
      byBlock
          .computeIfAbsent(d.trial().block(), b -> new ArrayList<>())
          .add(new DemandModel.Point(d.servers(), d.backups(), MANY, of.applyAsDouble(d)));
    }
    return byBlock.values().stream()
        .filter(points -> points.stream().map(DemandModel.Point::servers).distinct().count() > 1)
        .map(DemandModel::fit)
        .toList();
  }

  private static List<String> row(
      String name,
      String role,
      List<TrialDemands> demands,
      ToDoubleFunction<TrialDemands> of,
      List<StudyResult.Item> items) {
    List<DemandModel> fits = fits(demands, of);
    int most = demands.stream().mapToInt(TrialDemands::servers).max().orElse(1);
    int backups = demands.stream().mapToInt(TrialDemands::backups).max().orElse(0);
    Map<String, Function<DemandModel, Double>> terms = new LinkedHashMap<>();
    terms.put("base", DemandModel::base);
    terms.put("backup", DemandModel::backup);
    terms.put("hop", DemandModel::hop);
    terms.put("D at 1", model -> model.seconds(1, backups, MANY));
    terms.put("D at most", model -> model.seconds(most, backups, MANY));
    List<String> row = new ArrayList<>(List.of(name, role));
    terms.forEach(
        (term, value) -> {
          Estimate estimate =
              Means.arithmetic(
                  fits.stream().mapToDouble(model -> MICROS * value.apply(model)).toArray(),
                  "µs",
                  CONFIDENCE);
          items.add(new StudyResult.Item(name + ", " + role + ", " + term, estimate, "model"));
          row.add(
              estimate.value() == 0
                  ? "0"
                  : Numbers.shorten(estimate.value()) + " " + Numbers.interval(estimate));
        });
    return row;
  }

  private static Finding finding(String name, List<TrialDemands> demands) {
    int fewest = demands.stream().mapToInt(TrialDemands::servers).min().orElse(1);
    int most = demands.stream().mapToInt(TrialDemands::servers).max().orElse(1);
    Estimate first = servers(demands, fewest);
    Estimate last = servers(demands, most);
    Estimate client = estimate(demands, d -> d.clientSeconds() * MICROS, "µs");
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        "%s: a record costs the servers together %s of CPU time with %s and %s with %d, and its client %s."
            .formatted(
                name,
                words(first),
                Figures.count(fewest, "server"),
                words(last),
                most,
                words(client)),
        Map.of("servers, fewest", first, "servers, most", last, "client", client),
        "Trials with warmer code, or other records.");
  }

  private static Estimate servers(List<TrialDemands> demands, int servers) {
    return estimate(
        demands.stream().filter(d -> d.servers() == servers).toList(),
        d -> d.serverSeconds() * MICROS,
        "µs");
  }

  private static String words(Estimate micros) {
    return Numbers.shorten(micros.value())
        + " µs"
        + (micros.hasInterval() ? " " + Numbers.interval(micros) : "");
  }
}
