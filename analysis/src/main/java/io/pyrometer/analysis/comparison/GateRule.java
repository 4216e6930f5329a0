package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;

/**
 * When a change may not be merged: harm must be both sure and large.
 *
 * @param pairs how many randomised pairs of runs are to be made
 * @param level the one-sided p below which harm is sure
 * @param margin the loss that the Hodges–Lehmann ratio must exceed, 0.03 for 3 %
 * @param better which way the response improves
 */
public record GateRule(int pairs, double level, double margin, ComparisonRule.Direction better) {
  /** Ten pairs, p below 0.01, a loss over 3 %, of a response of which more is better. */
  public static final GateRule DEFAULT =
      new GateRule(10, 0.01, 0.03, ComparisonRule.Direction.HIGHER);

  /** Throws {@link BadDataException} if the figures are out of range. */
  public GateRule {
    if (pairs < 2 || !(level > 0 && level < 0.5) || !(margin > 0 && margin < 1)) {
      throw BadDataException.of(
          "A gate of %d pairs, level %s and margin %s cannot work; the default is 10 pairs, 0.01 and"
              + " 0.03.",
          pairs, level, margin);
    }
  }

  /** The same for a response of which less is better. */
  public GateRule lowerIsBetter() {
    return new GateRule(pairs, level, margin, ComparisonRule.Direction.LOWER);
  }
}
