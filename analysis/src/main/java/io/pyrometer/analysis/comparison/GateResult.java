package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;

/**
 * What a gate says of one response.
 *
 * @param p of the one-sided paired log-t test that the candidate is no worse; adjusted where
 *     several responses were judged
 * @param ratio the typical ratio candidate/baseline by Hodges and Lehmann
 * @param missing how many further runs it takes to find what must not be overlooked; 0 if there are
 *     enough
 */
public record GateResult(Outcome outcome, double p, Estimate ratio, int missing, Finding finding) {
  /** The ends of a gate; the ordinals are the exit codes of a command that applies it. */
  public enum Outcome {
    /** No harm was shown. */
    PASS,
    /** The candidate is worse, surely and by more than the margin. */
    HARM,
    /** Fewer pairs than the rule asks for, so harm could have gone unseen. */
    NOT_ENOUGH_RUNS
  }
}
