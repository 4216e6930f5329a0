package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The time to load all records once, and the memory that they then take. */
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
        new Tabulation(run, TreatmentRow.valid(run, LoadAnalysis::loads), "load.no-trial");
    all.compare("Time to load", Metric.LOADED, "s");
    all.compare("CPU time per record", Metric.CPU, "µs");
    all.show(
        "One row per treatment: means of the blocks",
        all.table(
                "not known: pages of an earlier trial are used again, or the product does not report it")
            .formatted("records", row -> Numbers.whole(records(row.trial())))
            .estimate("time [s]", row -> row.geometricMean(Metric.LOADED))
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("CPU [µs/record]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B/record, all copies]", row -> row.geometricMean(Metric.MEMORY))
            .estimate("off-heap, all servers [MiB]", row -> row.geometricMean(total(Metric.MEMORY)))
            .estimate(
                "on-heap, all servers [MiB]", row -> row.geometricMean(total(Metric.HEAP_MEMORY))));
    Optional<Value> offHeap = most(all.rows(), Metric.MEMORY);
    Optional<Value> onHeap = most(all.rows(), Metric.HEAP_MEMORY);
    if (offHeap.isPresent() || onHeap.isPresent()) {
      String id = offHeap.isPresent() ? "load.memory" : "load.heap";
      all.add(Finding.info(id).with("off-heap", offHeap).with("on-heap", onHeap));
    }
    return all.result(
        "load",
        "Loading all records once",
        "Time from the first write to the last acknowledgement, with the last flush. Memory is that of all servers with all copies: off-heap with indexes, on-heap after a collection.");
  }

  private static double records(TrialRecord trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  /** On all servers with all copies, MiB. */
  private static Function<TrialRecord, Optional<Double>> total(String perRecord) {
    return trial -> trial.value(perRecord).map(one -> one * records(trial) / MIB);
  }

  /** That of the treatment with the most. */
  private static Optional<Value> most(List<TreatmentRow> rows, String perRecord) {
    return rows.stream()
        .flatMap(row -> row.geometricMean(total(perRecord)).stream())
        .map(Estimate::value)
        .max(Double::compare)
        .map(mebibytes -> Value.bytes(mebibytes * MIB));
  }
}
