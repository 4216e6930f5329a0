package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What expiry and eviction leave of the records, how many reads still find theirs, and what a
 * record takes in the memory of all servers, beside and on their heaps.
 */
final class RunExpiry {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "expiry";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunExpiry.of(run);
    }
  }

  private static final String DROPPED = Metric.EVENTS + "reads-of-dropped";
  private static final double CALLS = 1_000;
  private static final double MIB = 1 << 20;

  private final RunRecord run;
  private final Map<String, List<TrialRecord>> treatments = new LinkedHashMap<>();

  private RunExpiry(RunRecord run) {
    this.run = run;
    for (TrialRecord trial : run.counting()) {
      if (trial.outcome() == Outcome.OK) {
        treatments.computeIfAbsent(Rankings.label(trial), label -> new ArrayList<>()).add(trial);
      }
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            "expiry",
            "",
            "records left",
            "records",
            true,
            RunAnalyses.analyze(() -> new RunExpiry(run).analyze())));
  }

  private StudyResult analyze() {
    if (treatments.isEmpty()) {
      throw new BadDataException("No trial is valid, so nothing is known of what is left.");
    }
    List<List<String>> rows = new ArrayList<>();
    treatments.forEach(
        (label, trials) ->
            rows.add(
                List.of(
                    label,
                    cell(trials, trial -> trial.value(Metric.THROUGHPUT)),
                    cell(trials, RunExpiry::left),
                    Numbers.whole(trials.get(0).settings().decimal("records")),
                    cell(trials, RunExpiry::hits),
                    cell(trials, trial -> trial.value(Metric.CPU)),
                    cell(trials, trial -> trial.value(Metric.MEMORY)),
                    cell(trials, RunExpiry::heap))));
    Section section =
        new Section(
            "expiry",
            "Hits and memory",
            "Left are records at the end of a trial, of those that its keys allow. A hit is a read that"
                + " found a record which had been written. Memory is what the trial added on all"
                + " servers with all copies: beside the heap the pages in use, their indexes"
                + " included, in bytes for a record left; on the heap what a collection leaves, which"
                + " includes what servers keep for the cache as a whole and newly loaded classes,"
                + " a few MiB.",
            List.of(
                Exhibit.of(
                    "One row a treatment: means of the blocks",
                    Table.of(
                            List.of(
                                "treatment",
                                "records/s",
                                "left",
                                "of",
                                "hits [%]",
                                "CPU [µs]",
                                "beside heap [B]",
                                "on heap [MiB]"),
                            0,
                            rows)
                        .withAbsent(
                            "the trial reads nothing, or the servers do not tell what they store"))));
    List<Finding> findings = new ArrayList<>();
    WrongContents.of(run, "Records that were found were stale or damaged, or were lost")
        .ifPresent(findings::add);
    findings.add(left());
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private Finding left() {
    List<String> dropping = new ArrayList<>();
    treatments.forEach(
        (label, trials) -> {
          if (trials.stream().anyMatch(trial -> trial.value(Metric.RECORDS_LEFT).isPresent())) {
            dropping.add(
                "%s of %s records with '%s'%s"
                    .formatted(
                        mean(trials, RunExpiry::left).map(Numbers::estimate).orElse("?"),
                        Numbers.whole(trials.get(0).settings().decimal("records")),
                        label,
                        mean(trials, RunExpiry::hits)
                            .map(hits -> " (%s %% of reads hit)".formatted(Numbers.estimate(hits)))
                            .orElse("")));
          }
        });
    if (dropping.isEmpty()) {
      return new Finding(
          Finding.Kind.COMPARISON,
          Finding.Severity.NOTICE,
          "No treatment lets records expire or be evicted: set 'ttl' or 'page-eviction'.",
          Map.of(),
          "A run with such a treatment.");
    }
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        "Left at the end of the valid trials, in which no record found was stale or damaged: %s."
            .formatted(Phrases.and(dropping)),
        Map.of(),
        "Other memory, keys or times to live; what is left depends on how long a trial takes.");
  }

  private static Optional<Double> left(TrialRecord trial) {
    return Optional.of(
        trial.value(Metric.RECORDS_LEFT).orElse(trial.settings().decimal("records")));
  }

  /** In percent of the reads of records that are or were there. */
  private static Optional<Double> hits(TrialRecord trial) {
    if (trial.job() != Job.MIX) {
      return Optional.empty();
    }
    double reads = trial.settings().decimal("reads") * (1 - trial.settings().decimal("misses"));
    double gone = trial.value(DROPPED).orElse(0.0) / CALLS;
    return reads <= 0 ? Optional.empty() : Optional.of(100 * Math.max(0, 1 - gone / reads));
  }

  /** In MiB, of all servers together. */
  private static Optional<Double> heap(TrialRecord trial) {
    return trial.value(Metric.HEAP_MEMORY).flatMap(one -> left(trial).map(n -> one * n / MIB));
  }

  private static String cell(
      List<TrialRecord> trials, Function<TrialRecord, Optional<Double>> figure) {
    return mean(trials, figure).map(Numbers::estimate).orElse(Table.ABSENT);
  }

  private static Optional<Estimate> mean(
      List<TrialRecord> trials, Function<TrialRecord, Optional<Double>> figure) {
    double[] values =
        trials.stream()
            .flatMap(trial -> figure.apply(trial).stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(Means.arithmetic(values, "", 0.95));
  }
}
