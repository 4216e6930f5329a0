package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.journal.RunException;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs against the first of them, treatment by treatment and metric by metric.
 *
 * @param runs the baseline first
 * @param rows the comparisons that are judged; all of them are one family of tests
 * @param shown comparisons of p99.9, which are shown and not judged
 * @param lost treatments with a valid trial in the baseline and none in a candidate
 * @param notCompared metrics that one of two runs has no value of, a sentence each
 * @param unlike what differs between the environments, one sentence a candidate; empty if nothing
 * @param outliers values of judged rows that do not belong with the others
 */
public record RunComparison(
    List<RunRecord> runs,
    Margins margins,
    List<Row> rows,
    List<Row> shown,
    List<Lost> lost,
    List<String> notCompared,
    List<String> unlike,
    List<Finding> outliers) {
  public RunComparison {
    runs = List.copyOf(runs);
    rows = List.copyOf(rows);
    shown = List.copyOf(shown);
    lost = List.copyOf(lost);
    notCompared = List.copyOf(notCompared);
    unlike = List.copyOf(unlike);
    outliers = List.copyOf(outliers);
  }

  /** What a gate concludes; a command that applies it exits with the ordinal. */
  public enum Outcome {
    /** No regression was found. */
    PASS,
    /** A candidate is significantly worse by more than the margin, or lost a treatment. */
    REGRESSION,
    /** There are too few blocks to find the regressions that matter. */
    NOT_ENOUGH_RUNS
  }

  /**
   * One metric of one treatment.
   *
   * @param candidate index of the run
   * @param margin the smallest relevant difference, 0.03 for 3 %
   * @param comparison with the verdict; its interval is corrected for the number of candidates
   * @param gate whether that is a regression, corrected for all rows; empty where nothing was
   *     measured twice, or the row is not judged
   */
  record Row(
      String treatment,
      int candidate,
      NamedMetric metric,
      double margin,
      Judgement comparison,
      Optional<GateResult> gate) {

    Outcome outcome() {
      return gate.map(
              result ->
                  switch (result.outcome()) {
                    case PASS -> Outcome.PASS;
                    case HARM -> Outcome.REGRESSION;
                    case NOT_ENOUGH_RUNS -> Outcome.NOT_ENOUGH_RUNS;
                  })
          .orElse(Outcome.NOT_ENOUGH_RUNS);
    }
  }

  /**
   * What a row comes to.
   *
   * @param baseline geometric mean over its blocks
   * @param candidate the same of the candidate
   * @param ratio candidate over baseline; without an interval where each was measured once
   * @param paired whether blocks were compared one by one
   * @param verdict corrected for all rows that are judged
   */
  record Judgement(
      Estimate baseline,
      Estimate candidate,
      Estimate ratio,
      boolean paired,
      Verdict verdict,
      Finding finding) {}

  /** A treatment that a candidate has no valid trial of. */
  record Lost(String treatment, int candidate, String why) {}

  /** {@code A} for the first, and so on. */
  static String letter(int run) {
    return run < 26 ? String.valueOf((char) ('A' + run)) : "run " + (run + 1);
  }

  /**
   * Compares by throughput, CPU time per record, and p50 and p99 of each operation.
   *
   * @param further names of metrics that are judged as well
   * @param anyway whether runs of unlike environments are compared as well
   * @throws RunException if the environments are unlike, a candidate shares no treatment, or no run
   *     has one of the further metrics
   */
  public static RunComparison of(
      List<RunRecord> runs, Margins margins, Set<String> further, boolean anyway) {
    List<String> unlike = unlike(runs);
    if (!unlike.isEmpty() && !anyway) {
      throw new RunException(
          "%s; their figures are not comparable. Give --anyway to compare them nevertheless."
              .formatted(unlike.get(0)));
    }
    return new RunComparer(runs, margins, further, unlike).make();
  }

  private static List<String> unlike(List<RunRecord> runs) {
    List<String> unlike = new ArrayList<>();
    for (int i = 1; i < runs.size(); i++) {
      List<String> differences = runs.get(0).environment().differences(runs.get(i).environment());
      if (!differences.isEmpty()) {
        unlike.add(
            "%s and %s were made in unlike environments: %s"
                .formatted(letter(0), letter(i), String.join(", ", differences)));
      }
    }
    return unlike;
  }

  /** The verdict of the gate over all rows. */
  public Outcome outcome() {
    if (!lost.isEmpty() || rows.stream().anyMatch(row -> row.outcome() == Outcome.REGRESSION)) {
      return Outcome.REGRESSION;
    }
    boolean all = rows.stream().allMatch(row -> row.outcome() == Outcome.PASS);
    return all ? Outcome.PASS : Outcome.NOT_ENOUGH_RUNS;
  }

  /** Whether a candidate's blocks are compared with the baseline's one by one. */
  boolean paired(int candidate) {
    return runs.get(0).plan().seed() == runs.get(candidate).plan().seed();
  }
}
