package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
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

    Optional<Double> mean(String metric) {
      return mean(
          trial ->
              trial.value(
                  (servers ? Metric.DEMAND_OF_SERVERS : Metric.DEMAND_OF_CLIENTS) + metric));
    }

    Optional<Double> ofServers(Function<TrialRecord, Optional<Double>> value) {
      return servers ? mean(value) : Optional.empty();
    }

    private Optional<Double> mean(Function<TrialRecord, Optional<Double>> value) {
      return Means.arithmetic(
              demands.stream()
                  .flatMap(d -> value.apply(d.trial()).stream())
                  .mapToDouble(Double::doubleValue),
              "")
          .map(Estimate::value);
    }
  }

  private static Estimate geometric(
      List<TrialDemands> demands, ToDoubleFunction<TrialDemands> micros) {
    return Means.geometric(demands.stream().mapToDouble(micros).toArray(), "µs");
  }

  private static StudyResult analyze(RunRecord run) {
    List<TrialDemands> all =
        run.counting().stream()
            .sorted(LevelOrder.of(run).comparing(TrialRecord::levels))
            .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
            .toList();
    if (all.isEmpty()) {
      throw new NoResult("demands.no-trial");
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
            .estimate("demand µs", role -> Optional.of(role.micros()))
            .number("user µs", role -> role.mean("user"))
            .number("system µs", role -> role.mean("system"))
            .number("gc µs", role -> role.mean("gc"))
            .number("jit µs", role -> role.mean(Metric.DEMAND_JIT))
            .number("idle ms/s", role -> role.ofServers(t -> t.value(Metric.IDLE_SERVER)))
            .number("memory bytes", role -> role.ofServers(t -> t.value(Metric.MEMORY)))
            .figure("For one record, over all processes of a role", roles));
    figures.add(
        table()
            .number("bytes out", role -> role.mean(Metric.DEMAND_BYTES_OUT))
            .number("bytes in", role -> role.mean(Metric.DEMAND_BYTES_IN))
            .number("writes", role -> role.mean(Metric.DEMAND_MESSAGES_OUT))
            .number("reads", role -> role.mean(Metric.DEMAND_MESSAGES_IN))
            .number("switches", role -> role.mean(Metric.DEMAND_SWITCHES))
            .number("bytes between servers", role -> role.ofServers(RunDemands::between))
            .figure("Bytes, system calls and context switches of one record", roles));
    List<Finding> findings = new ArrayList<>();
    List<Role> curves = curves(run, all);
    curves.forEach(servers -> findings.add(finding(servers)));
    if (!curves.isEmpty()) {
      String path = all.get(0).trial().settings().get(CoreSettings.PATH);
      findings.add(
          Finding.info("demands.capacity")
              .with("folder", Value.name(run.folder().path().toString()))
              .with("path", Value.name(path))
              .with("rate", Value.name(twiceTheFastest(all, path))));
    }
    Section section =
        new Section(
            "table",
            "Service demands",
            "CPU time of one record by the utilisation law, which does not depend on waits. Demands exclude JIT compilers (jit) and the work of a server without load (idle). Bytes and calls are those of read and write system calls, on files too, without Netty's native transport.",
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
            curves.add(new Role(part, true, demands));
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
    return RunAnalysis.under(
        servers.label(),
        Finding.info("demands.servers")
            .with("few", Value.count(sizes.get(0)))
            .with("fewest", ends.get(0))
            .with("many", Value.count(sizes.get(sizes.size() - 1)))
            .with("most", ends.get(1)));
  }
}
