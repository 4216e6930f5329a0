package io.pyrometer.results.analyses;

import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.MetricTable;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * GC and safepoint pauses of servers and clients beside the latency of the same trials: the pauses
 * that a collector, a heap or a JDK causes, and the p99 that it achieves.
 */
public final class PausesAnalysis extends WholeRunAnalysis {
  private static final String GC = "gc.";

  public PausesAnalysis() {
    super("pauses", "pauses beside latency", "ms");
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> each.settings().get(CoreSettings.TELEMETRY).contains(TelemetryKind.GC.id()),
        "'pauses' needs the logs of garbage collection, and no treatment records them; give 'telemetry: gc' or remove it.");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TrialRecord> logged =
        run.counting().stream()
            .filter(trial -> trial.metrics().keySet().stream().anyMatch(n -> n.startsWith(GC)))
            .toList();
    Tabulation all =
        new Tabulation(
            run, TreatmentRow.of(logged, KindReport::labelOf, Rankings.of(run)), "pauses.no-trial");
    for (String process : List.of("node", "agent")) {
      if (logged.stream().anyMatch(t -> t.metrics().containsKey(of(process, "pauses")))) {
        String role = process.equals("node") ? "servers" : "clients";
        all.show("Pauses of " + role, table(process, all));
        all.compare("Longest pause of " + role, of(process, "pause-max"), "ms");
      }
    }
    return all.result(
        "pauses",
        "Pauses beside latency",
        "All processes of a role in the measured part: the longest pause in any block, the share of time that a process was paused at safepoints, and the live set of all processes after a collection. p99 is the ranking's.");
  }

  private static String of(String process, String name) {
    return GC + name + "." + process + "s";
  }

  private static MetricTable<TreatmentRow> table(String process, Tabulation all) {
    MetricTable<TreatmentRow> table =
        all.table(
            "too few calls for a p99 (ten must lie beyond it), no pause, or no collection after which the live set is known");
    new TreeSet<>(TreatmentRow.operations(all.rows()))
        .forEach(
            operation ->
                table.estimate(
                    "p99 " + operation + " [ms]",
                    row -> row.millis(operation, LatencyStatistic.P99)));
    return table
        .number("longest pause [ms]", row -> row.max(of(process, "pause-max")))
        .number("pauses/s", row -> perSecond(row, of(process, "pauses")))
        .number(
            "stopped [%]",
            row ->
                perSecond(row, of(process, "stopped"))
                    .map(millis -> millis / 10 / processes(row.trial(), process)))
        .number("MiB/s allocated", row -> row.average(of(process, "allocation-rate")))
        .number("live [MiB]", row -> row.average(of(process, "live-set")));
  }

  /** The number of processes that have a log. */
  private static long processes(TrialRecord trial, String process) {
    String prefix = GC + "stopped." + process + "-";
    return Math.max(1, trial.metrics().keySet().stream().filter(n -> n.startsWith(prefix)).count());
  }

  /** The sum over the trials by the seconds of all of them. */
  private static Optional<Double> perSecond(TreatmentRow row, String metric) {
    double seconds = row.trials().stream().mapToDouble(t -> t.counts().seconds()).sum();
    return Optional.of(row.values(metric).stream().mapToDouble(v -> v).sum() / seconds);
  }
}
