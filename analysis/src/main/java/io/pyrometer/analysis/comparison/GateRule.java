package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;

/**
 * When a change may not be merged: harm must be both sure and large.
 *
 * @param pairs how many randomised pairs of runs are to be made at least
 * @param level the one-sided p below which harm is sure
 * @param margin the loss that the Hodges–Lehmann ratio must exceed, 0.03 for 3 %
 * @param better which way the response improves
 */
public record GateRule(int pairs, double level, double margin, ComparisonRule.Direction better) {
  /** Ten pairs, p below 0.01, a loss over 3 %, of a response of which more is better. */
  public static final GateRule DEFAULT =
      new GateRule(10, 0.01, 0.03, ComparisonRule.Direction.HIGHER);

  private static final double MOST_TO_FIND = 0.95;

  /** Throws {@link BadDataException} if the figures are out of range. */
  public GateRule {
    if (pairs < 2 || !(level > 0 && level < 0.5) || !(margin > 0 && margin < 1)) {
      throw BadDataException.of(
          "A gate of %d pairs, level %s and margin %s cannot work; the default is 10 pairs, 0.01 and"
              + " 0.03.",
          pairs, level, margin);
    }
  }

  /** The same with another number of pairs. */
  public GateRule withPairs(int newPairs) {
    return new GateRule(newPairs, level, margin, better);
  }

  /** The loss that is not to be overlooked: 10 % at a margin of 3 %, and so in proportion. */
  public double toFind() {
    return Math.min(MOST_TO_FIND, margin * 10 / 3);
  }

  /** What a ratio candidate/baseline loses, as a share of the baseline; below 0 for a gain. */
  double loss(double ratio) {
    return better == ComparisonRule.Direction.HIGHER ? 1 - ratio : ratio - 1;
  }

  double leastLoss(Estimate ratio) {
    return Math.min(loss(ratio.low()), loss(ratio.high()));
  }

  double greatestLoss(Estimate ratio) {
    return Math.max(loss(ratio.low()), loss(ratio.high()));
  }

  /** The same for a response of which less is better. */
  public GateRule lowerIsBetter() {
    return new GateRule(pairs, level, margin, ComparisonRule.Direction.LOWER);
  }
}
