package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The entries that remain under expiry and eviction, the hit ratio, and the memory of an entry on
 * all servers, off-heap and on-heap.
 */
public final class ExpiryAnalysis implements Analysis {
  private static final String READS_OF_DROPPED = Metric.EVENTS + "reads-of-dropped";
  private static final double CALLS = 1_000;
  private static final double MIB = 1 << 20;

  @Override
  public String id() {
    return "expiry";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "remaining entries", "records", () -> analyze(run)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows =
        TreatmentRow.of(
            run.counting().stream().filter(trial -> trial.outcome() == Outcome.OK).toList(),
            Rankings::label,
            List.of());
    if (rows.isEmpty()) {
      throw new BadDataException("No trial is valid, so the remaining entries are not known.");
    }
    List<Finding> findings = new ArrayList<>();
    WrongContents.of(run, "Entries that were read were stale or damaged, or were lost")
        .ifPresent(findings::add);
    findings.add(remaining(rows));
    MetricTable<TreatmentRow> table =
        new MetricTable<TreatmentRow>(
                "the trial reads nothing, or the servers do not report what they store")
            .text("treatment", TreatmentRow::label)
            .estimate("records/s", row -> row.mean(trial -> trial.value(Metric.THROUGHPUT)))
            .estimate("remaining", row -> row.mean(ExpiryAnalysis::remaining))
            .formatted("of", row -> Numbers.whole(records(row.trial())))
            .estimate("hit ratio [%]", row -> row.mean(ExpiryAnalysis::hitRatio))
            .estimate("CPU [µs]", row -> row.mean(trial -> trial.value(Metric.CPU)))
            .estimate("off-heap [B]", row -> row.mean(trial -> trial.value(Metric.MEMORY)))
            .estimate("on-heap [MiB]", row -> row.mean(ExpiryAnalysis::heap));
    return StudyResult.of(
        findings,
        new Section(
            "expiry",
            "Hit ratio and memory",
            "Remaining are the entries at the end of a trial, of those that its keys allow. The hit"
                + " ratio counts the reads of entries that had been written. Memory is what the"
                + " trial added on all servers with all copies: off-heap the pages in use with"
                + " their indexes, in bytes per remaining entry; on-heap what a collection leaves,"
                + " which includes the servers' own data about the cache and newly loaded classes,"
                + " a few MiB.",
            List.of(table.figure("One row per treatment: means of the blocks", rows))));
  }

  private static Finding remaining(List<TreatmentRow> rows) {
    List<String> dropping =
        rows.stream()
            .filter(row -> !row.values(Metric.RECORDS_LEFT).isEmpty())
            .map(
                row ->
                    "%s of %s records with '%s'%s"
                        .formatted(
                            row.mean(ExpiryAnalysis::remaining).map(Numbers::estimate).orElse("?"),
                            Numbers.whole(records(row.trial())),
                            row.label(),
                            row.mean(ExpiryAnalysis::hitRatio)
                                .map(hits -> " (hit ratio %s %%)".formatted(Numbers.estimate(hits)))
                                .orElse("")))
            .toList();
    if (dropping.isEmpty()) {
      return Finding.notice(
          Finding.Kind.COMPARISON,
          "No treatment lets records expire or be evicted; set 'ttl' or 'page-eviction'.",
          "A run with such a treatment.");
    }
    return Finding.info(
        Finding.Kind.ESTIMATE,
        "Entries remaining after the valid trials, in which no entry was stale or damaged: %s."
            .formatted(Phrases.and(dropping)),
        "Other memory, keys or times to live; the number depends on the length of a trial.");
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
