package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

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
      Pair pair,
      Optional<Estimate> ratio,
      double p,
      double adjustedP,
      Verdict verdict,
      Finding finding) {}

  /**
   * Compares pairs that were chosen for their values out of a greater family, such as the best of a
   * table with each other treatment.
   *
   * @param family of how many pairs these are chosen, at least as many as the pairs
   */
  public static List<Row> of(
      BlockModel model, List<Pair> pairs, String response, ComparisonRule rule, long family) {
    return of(
        pairs.stream()
            .map(pair -> new Judged(ModelledPair.of(model, pair, response), rule))
            .toList(),
        family);
  }

  /** A pair of some model, and the rule that it is judged by. */
  public record Judged(ModelledPair of, ComparisonRule rule) {}

  /**
   * Compares pairs of several models, such as of several responses, as one family.
   *
   * @param family of how many pairs these are chosen, at least as many as the pairs
   */
  public static List<Row> of(List<Judged> pairs, long family) {
    return of(
        pairs,
        pair -> pair.of().ratio(pair.rule().confidence()),
        pair -> pair.of().lnRatio().map(ln -> beyond(ln, pair.rule())).orElse(1.0),
        p -> MultipleTesting.holm(p, Math.max(family, p.length)),
        family);
  }

  /** By intervals, p and a correction of the caller's. */
  static List<Row> of(
      List<Judged> pairs,
      Function<Judged, Optional<Estimate>> ratio,
      ToDoubleFunction<Judged> beyond,
      UnaryOperator<double[]> correction,
      long family) {
    double[] p = pairs.stream().mapToDouble(beyond).toArray();
    double[] adjusted = correction.apply(p);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      Judged pair = pairs.get(i);
      rows.add(row(pair, ratio.apply(pair), p[i], adjusted[i], family));
    }
    return List.copyOf(rows);
  }

  private static double beyond(Contrast ln, ComparisonRule rule) {
    double above = 1 - ln.pLower(Math.log(1 + rule.delta()));
    double below = ln.pLower(Math.log(1 - rule.delta()));
    return Math.min(1, 2 * Math.min(above, below));
  }

  private static Row row(
      Judged judged, Optional<Estimate> found, double p, double adjusted, long pairs) {
    Pair pair = judged.of().pair();
    ComparisonRule rule = judged.rule();
    if (found.isEmpty()) {
      Finding finding =
          Finding.notice(
              Kind.NOT_ENOUGH_RUNS,
              "The %s of %s against %s is not judged: %s."
                  .formatted(
                      judged.of().response(),
                      pair.candidate(),
                      pair.baseline(),
                      judged.of().obstacle()),
              "Both in the same blocks (compare --interleave), or repeated runs of both.");
      return new Row(pair, Optional.empty(), p, adjusted, Verdict.NOT_ENOUGH_RUNS, finding);
    }
    Estimate ratio = found.get();
    Verdict alone = rule.verdict(ratio.low(), ratio.high());
    boolean claimed = alone == Verdict.BETTER || alone == Verdict.WORSE;
    boolean few = ratio.replicates() < MIN_BLOCKS;
    Verdict verdict =
        few || (claimed && adjusted >= 1 - rule.confidence()) ? Verdict.NOT_ENOUGH_RUNS : alone;
    return new Row(
        pair,
        Optional.of(ratio),
        p,
        adjusted,
        verdict,
        finding(judged, ratio, verdict, claimed && !few, adjusted, pairs));
  }

  private static Finding finding(
      Judged judged,
      Estimate ratio,
      Verdict verdict,
      boolean claimedAlone,
      double adjusted,
      long pairs) {
    Pair pair = judged.of().pair();
    ComparisonRule rule = judged.rule();
    String delta = Figures.percent(rule.delta());
    String corrected =
        pairs == 1
            ? Figures.p(adjusted)
            : "%s, corrected for %d comparisons".formatted(Figures.p(adjusted), pairs);
    String seen =
        "The %s of %s is %s against %s (%s, %s)"
            .formatted(
                judged.of().response(),
                pair.candidate(),
                Figures.change(ratio.value()),
                pair.baseline(),
                ratio.interval(Figures::change),
                Figures.count(ratio.replicates(), judged.of().replicate()));
    String verdictInWords =
        switch (verdict) {
          case BETTER -> ": better by more than %s (%s).".formatted(delta, corrected);
          case WORSE -> ": worse by more than %s (%s).".formatted(delta, corrected);
          case NO_RELEVANT_DIFFERENCE ->
              ": a difference of %s or more is excluded.".formatted(delta);
          case NOT_ENOUGH_RUNS ->
              claimedAlone
                  ? ": beyond %s by itself, but not after correction for %d comparisons (%s); more %ss are needed."
                      .formatted(delta, pairs, Figures.p(adjusted), judged.of().replicate())
                  : ": a difference of %s is neither shown nor excluded; more %ss are needed."
                      .formatted(delta, judged.of().replicate());
        };
    return Finding.of(
        verdict == Verdict.NOT_ENOUGH_RUNS ? Kind.NOT_ENOUGH_RUNS : Kind.COMPARISON,
        switch (verdict) {
          case WORSE -> Severity.WARNING;
          case NOT_ENOUGH_RUNS -> Severity.NOTICE;
          case BETTER, NO_RELEVANT_DIFFERENCE -> Severity.INFO;
        },
        seen + verdictInWords,
        Map.of("ratio", ratio),
        "More blocks, or another smallest relevant difference.");
  }
}
