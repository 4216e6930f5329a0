package io.pyrometer.analysis.estimate;

import io.pyrometer.analysis.BadDataException;

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
          "Replicates cannot start at %d, stop at %d and reach a half width of %s; start at 2 or"
              + " more, below the cap.",
          first, cap, relativeHalfWidth);
    }
  }

  /** The share of the promised error that a stop between the first look and the cap may take. */
  private static final double ERROR_OF_CHOSEN_STOP = 0.6;

  /** True where no replicate is to be added to the means so far, at least one. */
  public boolean stops(double[] replicates) {
    return replicates.length >= first
        && (replicates.length >= cap
            || Means.arithmetic(replicates, "", confidenceAt(replicates.length)).relativeHalfWidth()
                <= relativeHalfWidth);
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
