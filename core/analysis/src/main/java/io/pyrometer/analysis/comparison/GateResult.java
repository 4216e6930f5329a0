package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;

/**
 * What a gate concludes about one comparison.
 *
 * @param p that the candidate is no worse, corrected for all comparisons of the gate
 * @param ratio candidate over baseline with its interval
 * @param settled whether further blocks are not needed: a regression, or a loss of the margin is
 *     excluded
 */
public record GateResult(
    Outcome outcome, double p, Estimate ratio, boolean settled, Finding finding) {
  /** The conclusions of a gate; the ordinals are the exit codes of a command that applies it. */
  public enum Outcome {
    /** No regression was found, and the losses that are not to be overlooked are excluded. */
    PASS,
    /** The candidate is significantly worse, and its estimated loss is beyond the margin. */
    REGRESSION,
    /** Neither: too few replicates, or none that show how much two runs of the same differ. */
    NOT_ENOUGH_RUNS
  }
}
