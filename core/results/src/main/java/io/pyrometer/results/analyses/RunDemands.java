package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.LevelOrder;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.TrialDemands;
import io.pyrometer.results.study.StudyResult;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The service demands of a run: CPU time, bytes and calls of clients and servers for one record.
 */
public final class RunDemands implements Analysis {
  private static final String NOT_RECORDED =
      "not recorded of these processes, such as those of an attached grid; no interval: it needs two blocks";

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

  /** The demands of one role, with one treatment. */
  private record Role(String label, boolean servers, List<TrialDemands> demands) {
    String name() {
      return servers ? "servers" : "clients";
    }

    Estimate micros() {
      return Means.geometric(
          demands.stream()
              .mapToDouble(d -> 1e6 * (servers ? d.serverSeconds() : d.clientSeconds()))
              .toArray(),
          "µs");
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

  private static StudyResult analyze(RunRecord run) {
    List<TrialDemands> all =
        run.counting().stream()
            .sorted(LevelOrder.of(run).comparing(TrialRecord::levels))
            .flatMap(trial -> TrialDemands.of(run.plan(), trial).stream())
            .toList();
    if (all.isEmpty()) {
      throw new NoResult("demands.no-trial");
    }
    List<Role> roles = new ArrayList<>();
    all.stream()
        .collect(ListsByKey.by(d -> d.trial().levels()))
        .forEach(
            (levels, demands) ->
                List.of(false, true)
                    .forEach(
                        servers ->
                            roles.add(
                                new Role(Labels.of(levels, "all trials"), servers, demands))));
    List<StudyResult.Item> items =
        roles.stream()
            .map(
                role ->
                    new StudyResult.Item(
                        role.label() + ", " + role.name(), role.micros(), "CPU time"))
            .toList();
    Figure times =
        table()
            .estimate("demand µs", role -> Optional.of(role.micros()))
            .number("user µs", role -> role.mean("user"))
            .number("system µs", role -> role.mean("system"))
            .number("gc µs", role -> role.mean("gc"))
            .number("jit µs", role -> role.mean(Metric.DEMAND_JIT))
            .number("idle ms/s", role -> role.ofServers(t -> t.value(Metric.IDLE_SERVER)))
            .number("memory bytes", role -> role.ofServers(t -> t.value(Metric.MEMORY)))
            .figure("For one record, over all processes of a role", roles);
    Figure calls =
        table()
            .number("bytes out", role -> role.mean(Metric.DEMAND_BYTES_OUT))
            .number("bytes in", role -> role.mean(Metric.DEMAND_BYTES_IN))
            .number("writes", role -> role.mean(Metric.DEMAND_MESSAGES_OUT))
            .number("reads", role -> role.mean(Metric.DEMAND_MESSAGES_IN))
            .number("switches", role -> role.mean(Metric.DEMAND_SWITCHES))
            .figure("Bytes, system calls and context switches of one record", roles);
    List<Finding> findings = new ArrayList<>();
    if (all.stream().map(TrialDemands::servers).distinct().count() > 1) {
      String path = all.get(0).trial().settings().get(CoreSettings.PATH);
      findings.add(
          Finding.info("demands.capacity")
              .with("folder", Value.name(run.folder().path().toString()))
              .with("path", Value.name(path))
              .with("rate", Value.name(twiceTheFastest(all, path))));
    }
    Section section =
        Section.of(
            "table",
            "Service demands",
            "CPU time of one record by the utilisation law, which does not depend on waits. Demands exclude JIT compilers (jit) and the work of a server without load (idle). Bytes and calls are those of read and write system calls, on files too, without Netty's native transport.",
            times,
            calls);
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

  private static MetricTable<Role> table() {
    return new MetricTable<Role>(NOT_RECORDED)
        .text("treatment", Role::label)
        .text("role", Role::name);
  }
}
