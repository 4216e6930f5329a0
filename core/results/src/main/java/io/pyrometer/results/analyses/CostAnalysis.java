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
  private static final String SERVERS = Metric.DEMAND_OF_SERVERS;
  private static final String CLIENTS = Metric.DEMAND_OF_CLIENTS;

  public CostAnalysis() {
    super("cost", "cost of a record", "µs");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    Tabulation all =
        new Tabulation(
            run,
            TreatmentRow.valid(run, trial -> trial.value(Metric.CPU).isPresent()),
            "cost.no-trial");
    all.show(
        "One row per treatment",
        all.table("not recorded, as of an attached grid's servers")
            .estimate("CPU [µs]", row -> row.geometricMean(Metric.CPU))
            .estimate("without compilers [µs]", row -> row.geometricMean(CostAnalysis::warm))
            .estimate("servers [µs]", row -> row.geometricMean(SERVERS + Metric.DEMAND_CPU))
            .estimate("clients [µs]", row -> row.geometricMean(CLIENTS + Metric.DEMAND_CPU))
            .estimate(
                "servers send [B]", row -> row.geometricMean(SERVERS + Metric.DEMAND_BYTES_OUT)));
    all.compare("CPU time per record", Metric.CPU, "µs");
    if (run.counting().stream().anyMatch(TrialRecord::notWarm)) {
      all.compare(
          "CPU time per record without JIT compilers",
          new NamedMetric(Metric.CPU, "µs", Direction.LOWER),
          CostAnalysis::warm,
          row -> true);
    }
    return all.result(
        "cost",
        "Cost of a record",
        "Geometric means of the blocks, per record. CPU time is that of all processes of the trial.");
  }

  private static Optional<Double> warm(TrialRecord trial) {
    return trial
        .value(Metric.CPU)
        .flatMap(cpu -> trial.value(SERVERS + Metric.DEMAND_JIT).map(jit -> cpu - jit))
        .flatMap(cpu -> trial.value(CLIENTS + Metric.DEMAND_JIT).map(jit -> cpu - jit));
  }
}
