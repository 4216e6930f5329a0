package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;

/**
 * When to stop adding replicates: as soon as the relative half width of the interval is small
 * enough, or at a cap. Looking after every replicate costs coverage, as a stop is chosen for the
 * narrowness of its interval: simulated with normal spreads of 1–10 %, the plain 95 % interval
 * covers 92.0–95.0 % from five replicates on and 90.3–95.1 % from three. A stop between the first
 * look and the cap therefore takes three fifths of the error that it promises; then 94.2–95.1 % are
 * covered from five on.
 *
 * @param first the number of replicates before the first look, at least 2
 * @param relativeHalfWidth of the interval, 0.03 for 3 %
 * @param cap the most replicates
 * @param confidence of the interval
 */
public record StoppingRule(int first, double relativeHalfWidth, int cap, double confidence) {
  /** Five replicates first, 3 % wide to either side, at most 30, 95 %. */
  public static final StoppingRule DEFAULT = new StoppingRule(5, 0.03, 30, 0.95);

  /** Throws {@link BadDataException} if the figures contradict each other. */
  public StoppingRule {
    if (first < 2 || cap < first || !(relativeHalfWidth > 0)) {
      throw BadDataException.of(
          "Replicates cannot start at %d, stop at %d and reach a half width of %s; start at 2 or more, below the cap.",
          first, cap, relativeHalfWidth);
    }
  }

  /** The share of the promised error that a stop between the first look and the cap may take. */
  private static final double ERROR_OF_CHOSEN_STOP = 0.6;

  /** What the replicates so far say about going on. */
  public enum Reason {
    /** Fewer than the rule's first look. */
    TOO_FEW,
    /** The interval is still too wide. */
    TOO_WIDE,
    /** The interval is narrow enough: stop. */
    NARROW_ENOUGH,
    /** The cap is reached with too wide an interval: stop, and say so. */
    CAP_REACHED
  }

  /**
   * The judgement over the replicates so far.
   *
   * @param estimate of the mean; its interval pays for the choice of the stop
   */
  public record Decision(Reason reason, Estimate estimate) {
    /** Whether no further replicate should be made. */
    public boolean stop() {
      return reason == Reason.NARROW_ENOUGH || reason == Reason.CAP_REACHED;
    }
  }

  /** Judges the replicates' means so far, at least one. */
  public Decision decide(double[] replicates, String unit) {
    Estimate estimate = estimate(replicates, unit);
    if (replicates.length < first) {
      return new Decision(Reason.TOO_FEW, estimate);
    }
    if (estimate.relativeHalfWidth() <= relativeHalfWidth) {
      return new Decision(Reason.NARROW_ENOUGH, estimate);
    }
    return new Decision(replicates.length >= cap ? Reason.CAP_REACHED : Reason.TOO_WIDE, estimate);
  }

  private Estimate estimate(double[] replicates, String unit) {
    Estimate mean = Means.arithmetic(replicates, unit, confidenceAt(replicates.length));
    return mean.hasInterval()
        ? new Estimate(mean.value(), mean.low(), mean.high(), confidence, mean.replicates(), unit)
        : mean;
  }

  /**
   * The confidence at which an interval is to be computed so that it covers what the rule promises,
   * although the stop was chosen.
   *
   * @param replicates at the stop
   */
  public double confidenceAt(int replicates) {
    boolean chosen = replicates > first && replicates < cap;
    return chosen ? 1 - ERROR_OF_CHOSEN_STOP * (1 - confidence) : confidence;
  }
}
