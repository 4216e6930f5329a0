package io.pyrometer.results.compare;

import io.pyrometer.analysis.comparison.Comparison;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.journal.RunException;
import io.pyrometer.results.run.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs against the first of them, treatment by treatment.
 *
 * @param runs the reference first
 * @param rows those that could be compared
 * @param lost treatments that came out right in the reference and not in a candidate
 * @param unlike what differs between the environments, one sentence a candidate; empty if nothing
 */
public record RunComparison(
    List<RunRecord> runs, Margins margins, List<Row> rows, List<Lost> lost, List<String> unlike) {
  public RunComparison {
    runs = List.copyOf(runs);
    rows = List.copyOf(rows);
    lost = List.copyOf(lost);
    unlike = List.copyOf(unlike);
  }

  /**
   * One metric of one treatment.
   *
   * @param candidate index of the run
   * @param comparison with the verdict, its interval corrected for the number of candidates
   * @param gate whether that is harm, corrected for all rows; empty where a run has one replicate
   */
  record Row(
      String treatment,
      int candidate,
      Metric metric,
      Comparison comparison,
      Optional<GateResult> gate) {

    Outcome outcome() {
      return gate.map(GateResult::outcome).orElse(Outcome.NOT_ENOUGH_RUNS);
    }
  }

  /** A treatment that a candidate has no trial of that came out right. */
  record Lost(String treatment, int candidate, String why) {}

  /** {@code A} for the first, and so on. */
  static String letter(int run) {
    return run < 26 ? String.valueOf((char) ('A' + run)) : "run " + (run + 1);
  }

  /**
   * Compares.
   *
   * @param anyway whether runs of unlike environments are compared as well
   * @throws RunException if the environments are unlike, or a candidate shares no treatment
   */
  public static RunComparison of(List<RunRecord> runs, Margins margins, boolean anyway) {
    List<String> unlike = unlike(runs);
    if (!unlike.isEmpty() && !anyway) {
      throw new RunException(
          "%s; figures of both cannot be set side by side, unless you say --anyway."
              .formatted(unlike.get(0)));
    }
    return new Comparing(runs, margins, unlike).make();
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

  /** What all of it comes to. */
  public Outcome outcome() {
    if (!lost.isEmpty() || rows.stream().anyMatch(row -> row.outcome() == Outcome.HARM)) {
      return Outcome.HARM;
    }
    boolean all = rows.stream().allMatch(row -> row.outcome() == Outcome.PASS);
    return all ? Outcome.PASS : Outcome.NOT_ENOUGH_RUNS;
  }

  /** Whether a candidate's blocks are compared with the reference's one by one. */
  boolean paired(int candidate) {
    return runs.get(0).plan().seed() == runs.get(candidate).plan().seed();
  }
}
