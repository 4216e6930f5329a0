package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A gate over many rows that share their noise: every pair of one {@link TreatmentModel}, judged at
 * once, after a number of blocks that was fixed before. A row is a regression where the loss is
 * significant, its one-sided p below the level after Holm's correction for all rows, and the
 * estimated loss is beyond the margin. It passes where a loss of the margin is excluded, or where
 * as many blocks were run as find {@link GateRule#toFind} in 95 of 100 cases at the observed noise.
 * {@link SequentialComparison} judges rows that were looked at after every block.
 */
public final class ModelGate {
  private static final double CONFIDENCE = 0.95;
  private static final double POWER = 0.95;
  private static final int FEWEST_BLOCKS = 3;

  /** More blocks than anybody will run: a plan that needs more is no plan. */
  static final int MAX_BLOCKS = 1000;

  private ModelGate() {}

  /**
   * Judges.
   *
   * @param response its name in the sentences
   * @return one result a pair, in order
   */
  public static List<GateResult> judgeAll(
      TreatmentModel model, List<Pair> pairs, String response, GateRule rule) {
    return judgeAll(
        pairs.stream().map(pair -> new Row(ModelledPair.of(model, pair, response), rule)).toList());
  }

  /** A pair of some model, and the rule that it is judged by. */
  public record Row(ModelledPair of, GateRule rule) {}

  /** Judges pairs of several models, such as of several responses, as one family. */
  public static List<GateResult> judgeAll(List<Row> rows) {
    double[] p =
        rows.stream()
            .mapToDouble(row -> row.of().lnRatio().map(ln -> worse(ln, row.rule())).orElse(1.0))
            .toArray();
    double[] adjusted = MultipleTesting.holm(p);
    List<GateResult> results = new ArrayList<>();
    for (int i = 0; i < p.length; i++) {
      Row row = rows.get(i);
      double own = adjusted[i];
      results.add(
          row.of()
              .lnRatio()
              .map(ln -> result(row, ln, own, p.length))
              .orElseGet(() -> obstructed(row.of())));
    }
    return List.copyOf(results);
  }

  private static double worse(Contrast contrast, GateRule rule) {
    double lower = contrast.pLower(0);
    return rule.better() == ComparisonRule.Direction.HIGHER ? lower : 1 - lower;
  }

  static GateResult obstructed(ModelledPair of) {
    Finding finding =
        Finding.notice(
            Finding.Kind.NOT_ENOUGH_RUNS,
            "The %s of %s against %s is not judged: %s."
                .formatted(
                    of.response(), of.pair().candidate(), of.pair().baseline(), of.obstacle()),
            "Both in the same blocks (compare --interleave), or repeated runs of both.");
    return new GateResult(Outcome.NOT_ENOUGH_RUNS, 1, Estimate.unreplicated(1, ""), false, finding);
  }

  private static GateResult result(Row row, Contrast contrast, double p, int rows) {
    GateRule rule = row.rule();
    Estimate ratio = contrast.estimate(CONFIDENCE, row.of().replicates(), "").exp();
    boolean regression = p < rule.level() && rule.loss(ratio.value()) > rule.margin();
    boolean excluded = rule.greatestLoss(ratio) < rule.margin();
    int needed = blocksToFind(contrast, ratio.replicates(), rows, rule).orElse(MAX_BLOCKS);
    Outcome outcome =
        regression
            ? Outcome.REGRESSION
            : excluded || needed <= ratio.replicates() ? Outcome.PASS : Outcome.NOT_ENOUGH_RUNS;
    return new GateResult(
        outcome, p, ratio, regression || excluded, finding(row, ratio, outcome, p, rows, ""));
  }

  /**
   * How many blocks find the loss that is not to be overlooked in 95 of 100 cases, with the level
   * shared by so many rows: as the standard error goes with 1/√blocks and its degrees of freedom
   * with blocks − 1. Empty if a thousand do not.
   */
  static OptionalInt blocksToFind(Contrast contrast, int blocks, int rows, GateRule rule) {
    double loss = -Math.log(1 - rule.toFind());
    double margin = -Math.log(1 - rule.margin());
    double perBlock = contrast.standardError() * Math.sqrt(blocks);
    double dfPerBlock = contrast.degreesOfFreedom() / Math.max(1, blocks - 1);
    for (int n = FEWEST_BLOCKS; n <= MAX_BLOCKS; n++) {
      double error = perBlock / Math.sqrt(n);
      double df = Math.max(1, dfPerBlock * (n - 1));
      double sure = StudentT.quantile(1 - rule.level() / rows, df) * error;
      if (Math.max(sure, margin) + StudentT.quantile(POWER, df) * error <= loss) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * A row in words.
   *
   * @param looks what the interval is valid for besides this look; blank if for nothing
   */
  static Finding finding(
      Row row, Estimate ratio, Outcome outcome, double p, int rows, String looks) {
    GateRule rule = row.rule();
    String seen =
        "The %s of %s is %s against %s (%s interval%s %s to %s, %s, %s%s)"
            .formatted(
                row.of().response(),
                row.of().pair().candidate(),
                Figures.change(ratio.value()),
                row.of().pair().baseline(),
                Figures.percent(ratio.confidence()),
                looks,
                Figures.change(ratio.low()),
                Figures.change(ratio.high()),
                Figures.count(ratio.replicates(), row.of().replicate()),
                Figures.p(p),
                rows > 1 ? " corrected for %d comparisons".formatted(rows) : "");
    String margin = Figures.percent(rule.margin());
    String bound = Figures.percent(rule.greatestLoss(ratio));
    String worse = rule.worsening();
    Map<String, Estimate> estimates = Map.of("ratio", ratio);
    return switch (outcome) {
      case REGRESSION ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.WARNING,
              seen + ": a significant regression above the margin of " + margin + ".",
              estimates,
              "A repeat that does not show it.");
      case PASS ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.INFO,
              seen
                  + (rule.greatestLoss(ratio) < rule.margin()
                      ? ": %s %s or more is excluded.".formatted(worse, margin)
                      : ": no significant regression; %s more than %s is excluded."
                          .formatted(worse, bound)),
              estimates,
              "More blocks, which exclude smaller losses.");
      case NOT_ENOUGH_RUNS ->
          new Finding(
              Finding.Kind.NOT_ENOUGH_RUNS,
              Finding.Severity.NOTICE,
              seen
                  + ": no significant regression, but %s up to %s is not excluded; more %ss are needed."
                      .formatted(worse, bound, row.of().replicate()),
              estimates,
              "More blocks.");
    };
  }
}
