package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;

/**
 * The test of one comparison for a loss. A pass and the size of a loss follow from the interval
 * alone, never from the power that the test would have had.
 *
 * @param p that there is no loss, corrected for all comparisons of the gate
 * @param ratio candidate over baseline with its interval of 95 %
 */
public record LossTest(GateRule rule, double p, Estimate ratio) {
  /** A factor of eleven and one of millions say the same: nothing is known. */
  private static final double MOST_TO_PRINT = 10;

  /** What the gate concludes. */
  public GateVerdict verdict() {
    if (p < rule.level() && rule.loss(ratio.value()) > rule.margin()) {
      return GateVerdict.REGRESSION;
    }
    double possible = rule.greatestLoss(ratio);
    if (possible < rule.margin()) {
      return GateVerdict.PASS;
    }
    return possible < rule.toFind()
        ? GateVerdict.LARGER_LOSS_EXCLUDED
        : GateVerdict.NOT_ENOUGH_RUNS;
  }

  /** Whether the interval of a regression reaches below the smallest relevant difference. */
  public boolean openSize() {
    return verdict() == GateVerdict.REGRESSION && leastLoss() <= rule.margin();
  }

  /** The largest loss that is not excluded. */
  public double possibleLoss() {
    return rule.greatestLoss(ratio);
  }

  /** The largest loss that is not excluded, such as {@code an increase of 12 %}. */
  public String possibleLossInWords() {
    String size = Figures.percent(Math.min(MOST_TO_PRINT, possibleLoss()));
    return rule.worsening() + (possibleLoss() > MOST_TO_PRINT ? " more than " : " ") + size;
  }

  /**
   * The verdict as a clause.
   *
   * @param replicate what more of would help: {@code block} or {@code run}
   */
  public String inWords(String replicate) {
    String margin = Figures.percent(rule.margin());
    return switch (verdict()) {
      case PASS -> "%s %s or more is excluded".formatted(rule.worsening(), margin);
      case LARGER_LOSS_EXCLUDED ->
          "%s %s or more is excluded, one of %s is not"
              .formatted(rule.worsening(), Figures.percent(rule.toFind()), margin);
      case NOT_ENOUGH_RUNS ->
          "%s is not excluded; more %ss are needed".formatted(possibleLossInWords(), replicate);
      case REGRESSION ->
          openSize()
              ? "a significant loss whose size is open: the interval reaches below the margin of %s"
                  .formatted(margin)
              : "a significant regression above the margin of %s".formatted(margin);
    };
  }

  private double leastLoss() {
    return Math.min(rule.loss(ratio.low()), rule.loss(ratio.high()));
  }
}
