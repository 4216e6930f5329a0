package io.pyrometer.results.analyses;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.Optional;

/** The cost of a record with each treatment: CPU time of clients and servers, and bytes sent. */
public final class CostAnalysis extends WholeRunAnalysis {
  private static final String SERVER_CPU = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU;
  private static final String CLIENT_CPU = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU;
  private static final String SERVER_JIT = Metric.DEMAND_OF_SERVERS + Metric.DEMAND_JIT;
  private static final String CLIENT_JIT = Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_JIT;
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
            .estimate("CPU [µs]", row -> row.geometricMean(Metric.CPU))
            .estimate("without compilers [µs]", row -> row.geometricMean(CostAnalysis::warm))
            .estimate("servers [µs]", row -> row.geometricMean(SERVER_CPU))
            .estimate("clients [µs]", row -> row.geometricMean(CLIENT_CPU))
            .estimate("servers send [B]", row -> row.geometricMean(SERVER_BYTES)));
    all.compare(
        "CPU time per record",
        new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
        trial -> trial.value(Metric.CPU));
    if (run.counting().stream().anyMatch(TrialRecord::notWarm)) {
      all.compare(
          "CPU time per record without JIT compilers, whose work ends when the code is warm,",
          new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
          CostAnalysis::warm);
    }
    return all.result(
        "cost",
        "Cost of a record",
        "Geometric means of the blocks, per record. CPU time is that of all processes of the trial.",
        "More blocks, larger records or other machines.");
  }

  private static Optional<Double> warm(TrialRecord trial) {
    return trial
        .value(Metric.CPU)
        .flatMap(
            cpu ->
                trial
                    .value(SERVER_JIT)
                    .flatMap(of -> trial.value(CLIENT_JIT).map(own -> cpu - of - own)));
  }
}
