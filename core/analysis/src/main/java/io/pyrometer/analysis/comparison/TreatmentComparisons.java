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
   * @param p two-sided, that the ratio lies within the smallest relevant difference
   * @param adjustedP p after correction for all pairs
   */
  public record Row(
      Pair pair, Optional<Estimate> ratio, double p, double adjustedP, Verdict verdict) {}

  /**
   * Compares pairs that were chosen for their values out of a greater family, such as the best of a
   * table with each other treatment.
   *
   * @param family of how many pairs these are chosen, at least as many as the pairs
   */
  public static List<Row> of(BlockModel model, List<Pair> pairs, ComparisonRule rule, long family) {
    List<Optional<Contrast>> lnRatios =
        pairs.stream()
            .map(
                pair ->
                    model.obstacle(pair.baseline(), pair.candidate()).isPresent()
                        ? Optional.<Contrast>empty()
                        : Optional.of(model.lnRatio(pair.baseline(), pair.candidate())))
            .toList();
    double[] p =
        lnRatios.stream().mapToDouble(ln -> ln.map(l -> beyond(l, rule)).orElse(1.0)).toArray();
    double[] adjusted = MultipleTesting.holm(p, Math.max(family, p.length));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      Pair pair = pairs.get(i);
      Optional<Estimate> ratio =
          lnRatios
              .get(i)
              .map(
                  ln ->
                      ln.estimate(
                              rule.confidence(),
                              model.blocks(pair.baseline(), pair.candidate()),
                              "")
                          .exp());
      double corrected = adjusted[i];
      Verdict verdict =
          ratio.map(each -> verdict(each, rule, corrected)).orElse(Verdict.NOT_ENOUGH_RUNS);
      rows.add(new Row(pair, ratio, p[i], corrected, verdict));
    }
    return List.copyOf(rows);
  }

  private static double beyond(Contrast ln, ComparisonRule rule) {
    double above = 1 - ln.pLower(Math.log(1 + rule.delta()));
    double below = ln.pLower(Math.log(1 - rule.delta()));
    return Math.min(1, 2 * Math.min(above, below));
  }

  private static Verdict verdict(Estimate ratio, ComparisonRule rule, double adjusted) {
    Verdict alone = rule.verdict(ratio.low(), ratio.high());
    boolean claimed = alone == Verdict.BETTER || alone == Verdict.WORSE;
    return ratio.replicates() < MIN_BLOCKS || (claimed && adjusted >= 1 - rule.confidence())
        ? Verdict.NOT_ENOUGH_RUNS
        : alone;
  }
}
