package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verdicts of one table: pairs of treatments by a {@link BlockModel}, with one rate of false
 * verdicts for all of them. A verdict of better or worse needs that the ratio lies beyond the
 * smallest relevant difference, and that this holds after Holm's correction for the number of
 * pairs. Fewer than three blocks give no verdict.
 */
public final class TreatmentComparisons {
  private static final int MIN_BLOCKS = 3;

  private TreatmentComparisons() {}

  /** Two treatments of a model, by their names there. */
  public record Pair(String baseline, String candidate) {}

  /**
   * One pair.
   *
   * @param ratio candidate over baseline with the interval of this pair alone; empty where the data
   *     hold no noise to judge it by
   */
  public record Row(Pair pair, Optional<Estimate> ratio, Verdict verdict) {}

  /**
   * Compares pairs that were chosen for their values out of a greater family, such as the best of a
   * table with each other treatment.
   *
   * @param family of how many pairs these are chosen, at least as many as the pairs
   */
  public static List<Row> of(BlockModel model, List<Pair> pairs, ComparisonRule rule, long family) {
    double[] p =
        pairs.stream()
            .map(pair -> model.lnRatio(pair.baseline(), pair.candidate()))
            .mapToDouble(ln -> ln.map(found -> beyond(found, rule)).orElse(1.0))
            .toArray();
    double[] adjusted = MultipleTesting.holm(p, Math.max(family, p.length));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      Pair pair = pairs.get(i);
      double corrected = adjusted[i];
      Optional<Estimate> ratio = model.ratio(pair.baseline(), pair.candidate());
      Verdict verdict =
          ratio.map(each -> verdict(each, rule, corrected)).orElse(Verdict.NOT_ENOUGH_RUNS);
      rows.add(new Row(pair, ratio, verdict));
    }
    return List.copyOf(rows);
  }

  /**
   * The two-sided p value of a ratio if the truth lies within the smallest relevant difference: at
   * either of its ends.
   */
  private static double beyond(Contrast ln, ComparisonRule rule) {
    double above = 1 - ln.pLower(Math.log(1 + rule.delta()));
    double below = ln.pLower(Math.log(1 - rule.delta()));
    return Math.min(1, 2 * Math.min(above, below));
  }

  private static Verdict verdict(Estimate ratio, ComparisonRule rule, double adjusted) {
    Verdict alone = rule.verdict(ratio.low(), ratio.high());
    boolean claimed = alone == Verdict.BETTER || alone == Verdict.WORSE;
    return ratio.replicates() < MIN_BLOCKS || (claimed && adjusted >= 1 - Estimate.CONFIDENCE)
        ? Verdict.NOT_ENOUGH_RUNS
        : alone;
  }
}
