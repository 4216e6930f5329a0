package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;

/** The cost of a record with each treatment: CPU time of clients and servers, and bytes sent. */
public final class CostAnalysis implements Analysis {
  private static final String SERVER_CPU = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;
  private static final String CLIENT_CPU = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU;
  private static final String SERVER_BYTES = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_OUT;

  @Override
  public String id() {
    return "cost";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "cost of a record", "µs", () -> analyze(run)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows =
        TreatmentRow.of(
            run.counting().stream()
                .filter(trial -> trial.outcome() == Outcome.OK)
                .filter(trial -> trial.value(Metric.CPU).isPresent())
                .toList(),
            Rankings::label,
            List.of());
    if (rows.isEmpty()) {
      throw new BadDataException("No valid trial has the CPU time per record.");
    }
    MetricComparison cpu =
        MetricComparison.of(
            run,
            "CPU time per record",
            new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
            rows,
            row -> row.mean(trial -> trial.value(Metric.CPU)).map(mean -> mean.times(1, "µs")),
            row -> row.replicates(trial -> trial.value(Metric.CPU)),
            1);
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>("not recorded, as of an attached grid's servers")
            .text("treatment", TreatmentRow::label)
            .estimate("CPU [µs]", row -> row.mean(trial -> trial.value(Metric.CPU)))
            .estimate("servers [µs]", row -> row.mean(trial -> trial.value(SERVER_CPU)))
            .estimate("clients [µs]", row -> row.mean(trial -> trial.value(CLIENT_CPU)))
            .estimate("servers send [B]", row -> row.mean(trial -> trial.value(SERVER_BYTES)));
    List<Figure> figures = new ArrayList<>(List.of(table.figure("One row per treatment", rows)));
    MetricComparison.figure(List.of(cpu)).ifPresent(figures::add);
    return StudyResult.of(
        cpu.finding("More blocks, larger records or other machines.").stream().toList(),
        new Section(
            "cost",
            "Cost of a record",
            "Means of the blocks, per record. CPU time is that of all processes of the trial.",
            figures));
  }
}
