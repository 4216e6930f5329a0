package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The test of one comparison for a loss. A pass and the size of a loss follow from the interval
 * alone, never from the power that the test would have had.
 *
 * @param p that there is no loss, corrected for all comparisons of the gate
 * @param ratio candidate over baseline with its interval of 95 %
 */
public record LossTest(GateRule rule, double p, Estimate ratio) {
  private static final double CONFIDENCE = 0.95;

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

  /** A pair of some model, and the rule that it is judged by. */
  public record Row(ModelledPair of, GateRule rule) {}

  /**
   * Judges pairs of several models, such as of several responses, at once and as one family, after
   * a number of blocks that was fixed before. A row is a regression where the loss is significant,
   * its one-sided p below the level after Holm's correction for all rows, and the estimated loss is
   * beyond the margin; what else a row shows, its interval decides. {@link SequentialComparison}
   * judges rows that were looked at after every block.
   */
  public static List<Optional<LossTest>> judgeAll(List<Row> rows) {
    double[] p =
        rows.stream()
            .mapToDouble(row -> row.of().lnRatio().map(ln -> worse(ln, row.rule())).orElse(1.0))
            .toArray();
    double[] adjusted = MultipleTesting.holm(p);
    List<Optional<LossTest>> results = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      Row row = rows.get(i);
      double own = adjusted[i];
      results.add(
          row.of()
              .lnRatio()
              .map(
                  ln ->
                      new LossTest(
                          row.rule(),
                          own,
                          ln.estimate(CONFIDENCE, row.of().replicates(), "").exp())));
    }
    return List.copyOf(results);
  }

  private static double worse(Contrast contrast, GateRule rule) {
    double lower = contrast.pLower(0);
    return rule.better() == ComparisonRule.Direction.HIGHER ? lower : 1 - lower;
  }
}
