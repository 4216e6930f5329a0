package io.pyrometer.results.analyses;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;

/** The cost of a record with each treatment: CPU time of clients and servers, and bytes sent. */
public final class CostAnalysis extends WholeRunAnalysis {
  private static final String SERVER_CPU = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;
  private static final String CLIENT_CPU = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU;
  private static final String SERVER_BYTES = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_BYTES_OUT;

  public CostAnalysis() {
    super("cost", "cost of a record", "µs");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    Tabulation all =
        new Tabulation(
            run,
            TreatmentRow.valid(run, trial -> trial.value(Metric.CPU).isPresent()),
            "No valid trial has the CPU time per record.");
    all.show(
        "One row per treatment",
        all.table("not recorded, as of an attached grid's servers")
            .estimate("CPU [µs]", row -> row.mean(Metric.CPU))
            .estimate("servers [µs]", row -> row.mean(SERVER_CPU))
            .estimate("clients [µs]", row -> row.mean(CLIENT_CPU))
            .estimate("servers send [B]", row -> row.mean(SERVER_BYTES)));
    all.compare(
        "CPU time per record",
        new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
        trial -> trial.value(Metric.CPU));
    return all.result(
        "cost",
        "Cost of a record",
        "Means of the blocks, per record. CPU time is that of all processes of the trial.",
        "More blocks, larger records or other machines.");
  }
}
