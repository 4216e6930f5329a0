package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OperationLatency;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * GC and safepoint pauses of servers and clients beside the latency of the same trials: the pauses
 * that a collector, a heap or a JDK causes, and the p99 that it achieves.
 */
public final class PausesAnalysis implements Analysis {
  private static final String GC = "gc.";

  /** Processes of one kind, as metrics and sentences name them. */
  private record Role(String metrics, String singular, String caption) {
    String metric(String name) {
      return GC + name + "." + metrics;
    }
  }

  private static final List<Role> ROLES =
      List.of(
          new Role("nodes", "server", "Servers"), new Role("agents", "client", "Clients (agents)"));

  @Override
  public String id() {
    return "pauses";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> each.settings().get(CoreSettings.TELEMETRY).contains(TelemetryKind.GC.id()),
        "'pauses' needs the logs of garbage collection, and no treatment records them; give"
            + " 'telemetry: gc' or remove it.");
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "pauses beside latency", "ms", () -> analyze(run)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TrialRecord> logged =
        run.counting().stream()
            .filter(trial -> trial.metrics().keySet().stream().anyMatch(n -> n.startsWith(GC)))
            .toList();
    if (logged.isEmpty()) {
      throw new BadDataException(
          "No trial has metrics of garbage collection, so there are no pauses to show; set"
              + " 'telemetry: gc'.");
    }
    List<TreatmentRow> rows = TreatmentRow.of(logged, KindReport::labelOf, Rankings.of(run));
    List<Finding> findings = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    List<MetricComparison> comparisons = new ArrayList<>();
    for (Role role : ROLES) {
      if (logged.stream().anyMatch(t -> t.metrics().containsKey(role.metric("pauses")))) {
        figures.add(table(role, rows).figure(role.caption(), rows));
        comparisons.add(longest(run, role, rows));
      }
    }
    comparisons.forEach(
        each ->
            each.finding("Longer trials: a rare pause needs time to occur.")
                .ifPresent(findings::add));
    MetricComparison.figure(comparisons).ifPresent(figures::add);
    return StudyResult.of(
        findings,
        new Section(
            "pauses",
            "Pauses beside latency",
            "Metrics of all processes of a role, from the start of the measured part until the"
                + " agents stopped: the longest pause of any process in any block; the share of"
                + " time that a process stood still, for collections and other safepoints, averaged"
                + " over the processes; the live set of all processes after a collection. p99 is"
                + " the ranking's.",
            figures));
  }

  private static MetricTable<TreatmentRow> table(Role role, List<TreatmentRow> rows) {
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>(
                "too few calls for a p99 (ten must lie beyond it), no pause, or no collection after"
                    + " which the live set is known")
            .text("treatment", TreatmentRow::label);
    TreeSet<String> operations = new TreeSet<>();
    rows.forEach(
        r -> r.latencies().stream().map(OperationLatency::operation).forEach(operations::add));
    operations.forEach(
        operation ->
            table.estimate(
                "p99 " + operation + " [ms]", row -> row.millis(operation, LatencyStatistic.P99)));
    return table
        .number("longest pause [ms]", row -> row.max(role.metric("pause-max")))
        .number("pauses/s", row -> Optional.of(row.sum(role.metric("pauses")) / seconds(row)))
        .number("stopped [%]", row -> Optional.of(stopped(role, row)))
        .number("MiB/s allocated", row -> row.average(role.metric("allocation-rate")))
        .number("live [MiB]", row -> row.average(role.metric("live-set")));
  }

  private static double seconds(TreatmentRow row) {
    return row.trials().stream().mapToDouble(trial -> trial.counts().seconds()).sum();
  }

  /** In percent of the time of one process. */
  private static double stopped(Role role, TreatmentRow row) {
    double processSeconds =
        row.trials().stream()
            .mapToDouble(
                t -> t.value(role.metric("stopped")).orElse(0.0) / 1e3 / processes(t, role))
            .sum();
    return 100 * processSeconds / seconds(row);
  }

  /** How many processes of the role have a log. */
  private static long processes(TrialRecord trial, Role role) {
    String prefix =
        GC + "stopped." + role.metrics().substring(0, role.metrics().length() - 1) + "-";
    return Math.max(
        1, trial.metrics().keySet().stream().filter(name -> name.startsWith(prefix)).count());
  }

  private static MetricComparison longest(RunRecord run, Role role, List<TreatmentRow> rows) {
    String metric = role.metric("pause-max");
    return MetricComparison.of(
        run,
        "the longest pause of a %s in a block".formatted(role.singular()),
        new NamedMetric(metric, "ms", Direction.LOWER),
        rows,
        row -> row.mean(trial -> trial.value(metric)).map(mean -> mean.times(1, "ms")),
        row -> row.replicates(trial -> trial.value(metric)),
        1);
  }
}
