package io.pyrometer.results.analyses;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.Optional;

/** The time to load all records once into an empty grid, and the memory that they then take. */
public final class LoadAnalysis extends WholeRunAnalysis {
  private static final double MIB = 1 << 20;

  public LoadAnalysis() {
    super("load", "time to load", "s");
  }

  @Override
  public boolean always(RunRecord run) {
    return run.counting().stream().anyMatch(LoadAnalysis::loads);
  }

  private static boolean loads(TrialRecord trial) {
    return CoreSettings.loadsOnce(trial.settings());
  }

  @Override
  StudyResult analyze(RunRecord run) {
    Tabulation all =
        new Tabulation(
            run,
            TreatmentRow.valid(run, LoadAnalysis::loads),
            "No valid trial loads its records once; set 'keys: once' for paths that write.");
    all.compare(
        "the time to load",
        new NamedMetric(Metric.LOADED, "s", Direction.LOWER),
        trial -> trial.value(Metric.LOADED));
    all.show(
        "One row per treatment: means of the blocks",
        all.table(
                "not known: pages of an earlier trial are used again, or the product does not tell")
            .formatted("records", row -> Numbers.whole(records(row.trial())))
            .estimate("time [s]", row -> row.geometricMean(Metric.LOADED))
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("CPU [µs/record]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B/record]", row -> row.geometricMean(Metric.MEMORY))
            .estimate("on-heap [MiB]", row -> row.mean(LoadAnalysis::heap)));
    return all.result(
        "load",
        "Loading all records once",
        "Time from the first write to the last acknowledgement, with the last flush. Memory is what the records take on all servers with all copies: off-heap in bytes per record, with indexes; on-heap what a collection leaves. The rate over time is below.",
        "Other numbers of records: indexes, checkpoints and collections grow with them.");
  }

  private static double records(TrialRecord trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  private static Optional<Double> heap(TrialRecord trial) {
    return trial.value(Metric.HEAP_MEMORY).map(one -> one * records(trial) / MIB);
  }
}
