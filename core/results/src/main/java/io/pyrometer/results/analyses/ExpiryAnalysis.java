package io.pyrometer.results.analyses;

import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.Optional;

/**
 * The entries that remain under expiry and eviction, the hit ratio, and the memory of an entry on
 * all servers, off-heap and on-heap.
 */
public final class ExpiryAnalysis extends WholeRunAnalysis {
  private static final String READS_OF_DROPPED = Metric.EVENTS + "reads-of-dropped";
  private static final double CALLS = 1_000;
  private static final double MIB = 1 << 20;

  public ExpiryAnalysis() {
    super("expiry", "remaining entries", "records");
  }

  @Override
  StudyResult analyze(RunRecord run) {
    Tabulation all = new Tabulation(run, TreatmentRow.valid(run, trial -> true), "expiry.no-trial");
    all.warnOfWrongContents("expiry.wrong");
    if (all.rows().stream().allMatch(row -> row.values(Metric.RECORDS_LEFT).isEmpty())) {
      all.add(Finding.notice("expiry.no-treatment"));
    } else {
      all.compare(
          "Hit ratio",
          new NamedMetric("hit-ratio", "%", Direction.HIGHER),
          ExpiryAnalysis::hitRatio,
          row -> true);
    }
    all.show(
        "One row per treatment: means of the blocks",
        all.table("the trial reads nothing, or the servers do not report what they store")
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("remaining", row -> row.mean(ExpiryAnalysis::remaining))
            .formatted("of", row -> Numbers.whole(records(row.trial())))
            .estimate("hit ratio [%]", row -> row.mean(ExpiryAnalysis::hitRatio))
            .estimate("CPU [µs]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B]", row -> row.mean(Metric.MEMORY))
            .estimate("on-heap [MiB]", row -> row.mean(ExpiryAnalysis::heap)));
    return all.result(
        "expiry",
        "Hit ratio and memory",
        "Remaining: entries at the end of a trial, of those that its keys allow. Hit ratio: of the reads of entries that had been written. Memory: what the trial added on all servers, on-heap after a collection and with the servers' own data about the cache.");
  }

  private static double records(TrialRecord trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  private static Optional<Double> remaining(TrialRecord trial) {
    return Optional.of(trial.value(Metric.RECORDS_LEFT).orElse(records(trial)));
  }

  /** In percent of the reads of entries that are or were there. */
  private static Optional<Double> hitRatio(TrialRecord trial) {
    if (trial.job() != Job.MIX) {
      return Optional.empty();
    }
    double reads =
        trial.settings().get(CoreSettings.READS) * (1 - trial.settings().get(CoreSettings.MISSES));
    double gone = trial.value(READS_OF_DROPPED).orElse(0.0) / CALLS;
    return reads <= 0 ? Optional.empty() : Optional.of(100 * Math.max(0, 1 - gone / reads));
  }

  /** In MiB, of all servers together. */
  private static Optional<Double> heap(TrialRecord trial) {
    return trial.value(Metric.HEAP_MEMORY).flatMap(one -> remaining(trial).map(n -> one * n / MIB));
  }
}
