package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;

/**
 * When a change may not be merged: its loss must be both significant and relevant.
 *
 * @param level the p, corrected for all comparisons of a gate, below which a loss is significant
 * @param margin the loss that the estimate must exceed to be relevant, 0.03 for 3 %
 * @param better which way the response improves
 */
public record GateRule(double level, double margin, ComparisonRule.Direction better) {
  /** p below 0.01 and a loss over 3 %, of a response of which more is better. */
  public static final GateRule DEFAULT = new GateRule(0.01, 0.03, ComparisonRule.Direction.HIGHER);

  private static final double MOST_TO_FIND = 0.95;

  /** Throws {@link BadDataException} if the figures are out of range. */
  public GateRule {
    if (!(level > 0 && level < 0.5) || !(margin > 0 && margin < 1)) {
      throw BadDataException.of(
          "A gate of level %s and margin %s cannot work; the default is 0.01 and 0.03.",
          level, margin);
    }
  }

  /** The loss that is not to be overlooked: 10 % at a margin of 3 %, and so in proportion. */
  public double toFind() {
    return Math.min(MOST_TO_FIND, margin * 10 / 3);
  }

  /** What a ratio candidate/baseline loses, as a share of the baseline; below 0 for a gain. */
  double loss(double ratio) {
    return better == ComparisonRule.Direction.HIGHER ? 1 - ratio : ratio - 1;
  }

  /** A change for the worse in words: {@code a loss of}, or {@code an increase of}. */
  public String worsening() {
    return better == ComparisonRule.Direction.HIGHER ? "a loss of" : "an increase of";
  }

  /** The greatest loss that the interval leaves possible; 0 if it leaves gains alone. */
  public double greatestLoss(Estimate ratio) {
    return Math.max(0, Math.max(loss(ratio.low()), loss(ratio.high())));
  }
}
