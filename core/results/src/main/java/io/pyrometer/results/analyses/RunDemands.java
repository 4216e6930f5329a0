package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
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
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The service demands of a run: what clients and servers use for one record, and how that goes with
 * the number of servers.
 */
public final class RunDemands implements Analysis {
  private static final String NOT_RECORDED =
      "not recorded of these processes, such as those of an attached grid; no interval: it needs two blocks";

  private static final double MICROS = 1e6;

  @Override
  public String id() {
    return "demands";
  }

  /** One analysis of the whole run; it leads where the experiment names it. */
  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            id(),
            "",
            "Service demands",
            "µs",
            run.plan().experiment().analyses().contains(id()),
            RunAnalyses.analyze(() -> analyze(run))));
  }

  @Override
  public boolean always(RunRecord run) {
    return run.counting().stream()
        .anyMatch(trial -> TrialDemands.of(run.plan(), trial).isPresent());
  }

  /** The demands of one role, with one treatment or along one curve. */
  private record Role(String label, boolean servers, List<TrialDemands> demands) {
    String name() {
      return servers ? "servers" : "clients";
    }

    double seconds(TrialDemands of) {
      return servers ? of.serverSeconds() : of.clientSeconds();
    }

    Estimate micros() {
      return geometric(demands, d -> MICROS * seconds(d));
    }

    String mean(String metric) {
      return RunDemands.mean(
          demands.stream()
              .flatMap(
                  d ->
                      d
                          .trial()
                          .value(
                              (servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS)
                                  + metric)
                          .stream()));
    }

    String ofServers(Function<TrialRecord, Optional<Double>> value) {
      return servers
          ? RunDemands.mean(demands.stream().flatMap(d -> value.apply(d.trial()).stream()))
          : "";
    }
  }

  private static Estimate geometric(
      List<TrialDemands> demands, ToDoubleFunction<TrialDemands> micros) {
    return Means.geometric(demands.stream().mapToDouble(micros).toArray(), "µs");
  }

  private static String mean(Stream<Double> values) {
    return values.collect(
        Collectors.teeing(
            Collectors.counting(),
            Collectors.averagingDouble(Double::doubleValue),
            (count, mean) -> count == 0 ? Table.ABSENT : Numbers.shorten(mean)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TrialDemands> all =
        run.counting().stream()
            .sorted(LevelOrder.of(run).comparing(TrialRecord::levels))
            .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
            .toList();
    if (all.isEmpty()) {
      throw new BadDataException(
          "No valid trial records service demands of clients and servers; attached grids whose servers' CPU time is unknown have none.");
    }
    Map<Map<String, String>, List<TrialDemands>> byTreatment =
        grouped(all, d -> d.trial().levels());
    List<Role> roles = new ArrayList<>();
    byTreatment.forEach(
        (levels, demands) -> {
          String label = Labels.of(levels, "all trials");
          roles.add(new Role(label, false, demands));
          roles.add(new Role(label, true, demands));
        });
    List<StudyResult.Item> items = new ArrayList<>();
    roles.forEach(
        role ->
            items.add(
                new StudyResult.Item(
                    role.label() + ", " + role.name(), role.micros(), "CPU time")));
    List<Figure> figures = new ArrayList<>();
    figures.add(
        chart(
            "CPU time of the servers for one record, without compilers and idle work",
            roles,
            true));
    figures.add(chart("CPU time of the clients for one record, without compilers", roles, false));
    figures.add(
        table()
            .formatted("demand µs", role -> Numbers.shorten(role.micros().value()))
            .formatted("95 %", role -> Numbers.interval(role.micros()))
            .formatted("user µs", role -> role.mean("user"))
            .formatted("system µs", role -> role.mean("system"))
            .formatted("gc µs", role -> role.mean("gc"))
            .formatted("jit µs", role -> role.mean(Metric.DEMAND_JIT))
            .formatted("idle ms/s", role -> role.ofServers(t -> t.value(Metric.IDLE_SERVER)))
            .formatted("memory bytes", role -> role.ofServers(t -> t.value(Metric.MEMORY)))
            .figure("For one record, over all processes of a role", roles));
    figures.add(
        table()
            .formatted("bytes out", role -> role.mean(Metric.DEMAND_BYTES_OUT))
            .formatted("bytes in", role -> role.mean(Metric.DEMAND_BYTES_IN))
            .formatted("writes", role -> role.mean(Metric.DEMAND_MESSAGES_OUT))
            .formatted("reads", role -> role.mean(Metric.DEMAND_MESSAGES_IN))
            .formatted("switches", role -> role.mean(Metric.DEMAND_SWITCHES))
            .formatted("bytes between servers", role -> role.ofServers(RunDemands::between))
            .figure("Bytes, system calls and context switches of one record", roles));
    List<Finding> findings = new ArrayList<>();
    List<Role> curves = curves(run, all);
    curves.forEach(servers -> findings.add(finding(servers)));
    if (!curves.isEmpty()) {
      String path = all.get(0).trial().settings().get(CoreSettings.PATH);
      findings.add(
          Finding.info(
              Finding.Kind.FOLLOW_UP,
              "How many servers a rate needs, such as twice the fastest trial's: ./pyrometer capacity %s --path %s --rate %s."
                  .formatted(run.folder().path(), path, twiceTheFastest(all, path)),
              "The rate."));
    }
    Section section =
        new Section(
            "table",
            "Service demands",
            "What one record costs, by the utilisation law: it does not depend on how long"
                + " processes waited for each other. Compilers (jit) are shown and left out of"
                + " demands, since they end once the code is warm; so is the work of a server"
                + " without load (idle). Bytes and calls are those of read and write system calls,"
                + " on files too; what Netty's native transport moves is not counted there.",
            figures);
    return new StudyResult("", findings, List.of(section), items);
  }

  /** Records a second with one significant digit. */
  private static String twiceTheFastest(List<TrialDemands> demands, String path) {
    double fastest =
        demands.stream()
            .filter(each -> path.equals(each.trial().settings().get(CoreSettings.PATH)))
            .flatMap(each -> each.trial().throughput().stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0);
    return new BigDecimal(2 * fastest).round(new MathContext(1)).toPlainString();
  }

  private static <K> Map<K, List<TrialDemands>> grouped(
      List<TrialDemands> demands, Function<TrialDemands, K> key) {
    return demands.stream().collect(ListsByKey.by(key));
  }

  private static Figure chart(String caption, List<Role> roles, boolean servers) {
    return IntervalChart.bars(
        caption,
        "µs/record",
        roles.stream()
            .filter(role -> role.servers() == servers)
            .map(role -> new Ranked(role.label(), role.micros(), Optional.empty(), ""))
            .toList());
  }

  private static MetricTable<Role> table() {
    return new MetricTable<Role>(NOT_RECORDED)
        .text("treatment", Role::label)
        .text("role", Role::name);
  }

  /** What servers write and no client reads goes to other servers. */
  private static Optional<Double> between(TrialRecord trial) {
    return trial
        .value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_OUT)
        .flatMap(
            out ->
                trial
                    .value(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_BYTES_IN)
                    .map(in -> Math.max(0, out - in)));
  }

  /** The servers of each curve over the number of servers. */
  private static List<Role> curves(RunRecord run, List<TrialDemands> all) {
    ScalingSeries series = ScalingSeries.over(Count.NODES, RunScalability.steps(run));
    Map<Map<String, String>, List<TrialDemands>> byCurve =
        grouped(all, d -> series.curve(d.trial().levels()));
    List<Map<String, String>> parts = List.copyOf(byCurve.keySet());
    List<Role> curves = new ArrayList<>();
    byCurve.forEach(
        (curve, demands) -> {
          if (demands.stream().map(TrialDemands::servers).distinct().count() >= 2) {
            String part = Phrases.differing(curve, parts);
            curves.add(new Role(part.isEmpty() ? "all trials" : part, true, demands));
          }
        });
    return curves;
  }

  private static Finding finding(Role servers) {
    Map<Integer, List<TrialDemands>> bySize =
        new TreeMap<>(grouped(servers.demands(), TrialDemands::servers));
    List<Integer> sizes = List.copyOf(bySize.keySet());
    List<Estimate> ends =
        Stream.of(sizes.get(0), sizes.get(sizes.size() - 1))
            .map(
                size ->
                    geometric(
                        bySize.getOrDefault(size, List.of()), d -> MICROS * d.serverSeconds()))
            .toList();
    Estimate client = new Role("", false, servers.demands()).micros();
    Map<String, Estimate> estimates =
        Finding.estimates("servers, fewest", ends.get(0), "servers, most", ends.get(1));
    estimates.put("client", client);
    return Finding.info(
        Finding.Kind.ESTIMATE,
        "%s: a record costs the servers together %s of CPU time with %s and %s with %d, and its client %s."
            .formatted(
                servers.label(),
                Numbers.estimateWithUnit(ends.get(0)),
                Figures.count(sizes.get(0), "server"),
                Numbers.estimateWithUnit(ends.get(1)),
                sizes.get(sizes.size() - 1),
                Numbers.estimateWithUnit(client)),
        estimates,
        "Trials with warmer code, or other records.");
  }
}
