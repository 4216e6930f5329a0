package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.estimate.RunsNeeded;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A gate over many rows that share their noise: every pair of one {@link TreatmentModel}, judged at
 * once. A row is a regression where the loss is sure, its one-sided p below the level after Holm's
 * correction for all rows, and the estimated loss is beyond the margin. It passes where a loss of
 * the margin is excluded, or where as many blocks were run as find {@link GateRule#toFind} in 95 of
 * 100 cases at the noise that was seen.
 */
public final class ModelGate {
  private static final double CONFIDENCE = 0.95;
  private static final double POWER = 0.95;
  private static final int FEWEST_BLOCKS = 3;

  private ModelGate() {}

  /**
   * Judges.
   *
   * @param response its name in the sentences
   * @return one result a pair, in order; {@link GateResult#missing} counts blocks
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
              .map(ln -> result(row.of(), ln, own, row.rule(), p.length))
              .orElseGet(() -> obstructed(row.of())));
    }
    return List.copyOf(results);
  }

  private static double worse(Contrast contrast, GateRule rule) {
    double lower = contrast.pLower(0);
    return rule.better() == ComparisonRule.Direction.HIGHER ? lower : 1 - lower;
  }

  private static GateResult obstructed(ModelledPair of) {
    Finding finding =
        new Finding(
            Finding.Kind.NOT_ENOUGH_RUNS,
            Finding.Severity.NOTICE,
            "%s against %s cannot be judged: %s."
                .formatted(of.pair().candidate(), of.pair().baseline(), of.obstacle()),
            Map.of(),
            "Both in the same blocks, or repeated runs of both.");
    Estimate unknown = Estimate.unreplicated(1, "");
    return new GateResult(Outcome.NOT_ENOUGH_RUNS, 1, unknown, FEWEST_BLOCKS, finding);
  }

  private static GateResult result(
      ModelledPair of, Contrast contrast, double p, GateRule rule, int rows) {
    Estimate ratio = contrast.estimate(CONFIDENCE, of.blocks(), "").exp();
    boolean harm = p < rule.level() && rule.loss(ratio.value()) > rule.margin();
    boolean excluded = rule.greatestLoss(ratio) < rule.margin();
    int blocks = ratio.replicates();
    int needed = blocksToFind(contrast, blocks, rows, rule).orElse(RunsNeeded.MOST);
    int missing = Math.max(0, needed - blocks);
    Outcome outcome =
        harm ? Outcome.HARM : excluded || missing == 0 ? Outcome.PASS : Outcome.NOT_ENOUGH_RUNS;
    return new GateResult(
        outcome,
        p,
        ratio,
        outcome == Outcome.NOT_ENOUGH_RUNS ? missing : 0,
        finding(of.pair(), ratio, outcome, p, missing, of.response(), rule, rows));
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
    for (int n = FEWEST_BLOCKS; n <= RunsNeeded.MOST; n++) {
      double error = perBlock / Math.sqrt(n);
      double df = Math.max(1, dfPerBlock * (n - 1));
      double sure = StudentT.quantile(1 - rule.level() / rows, df) * error;
      if (Math.max(sure, margin) + StudentT.quantile(POWER, df) * error <= loss) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  private static Finding finding(
      Pair pair,
      Estimate ratio,
      Outcome outcome,
      double p,
      int missing,
      String response,
      GateRule rule,
      int rows) {
    String seen =
        "The %s of %s is %s against %s (%s interval %s to %s, %s, %s%s)"
            .formatted(
                response,
                pair.candidate(),
                Figures.change(ratio.value()),
                pair.baseline(),
                Figures.percent(ratio.confidence()),
                Figures.change(ratio.low()),
                Figures.change(ratio.high()),
                Figures.count(ratio.replicates(), "block"),
                Figures.p(p),
                rows > 1 ? " corrected for %d rows".formatted(rows) : "");
    String margin = Figures.percent(rule.margin());
    double excluded = Math.max(0, rule.greatestLoss(ratio));
    String bound = "a loss of more than %s is excluded".formatted(Figures.percent(excluded));
    return switch (outcome) {
      case HARM ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.WARNING,
              seen + ": a significant regression above the margin of " + margin + ".",
              Map.of("ratio", ratio),
              "A repeat of the blocks that does not show it.");
      case PASS ->
          new Finding(
              Finding.Kind.COMPARISON,
              Finding.Severity.INFO,
              seen + ": no regression above the margin of " + margin + " was found; " + bound + ".",
              Map.of("ratio", ratio),
              "More blocks, which exclude smaller losses.");
      case NOT_ENOUGH_RUNS ->
          new Finding(
              Finding.Kind.NOT_ENOUGH_RUNS,
              Finding.Severity.NOTICE,
              seen
                  + ": not enough blocks to find a loss of %s in 95 of 100 cases; %s; run about %s."
                      .formatted(
                          Figures.percent(rule.toFind()),
                          bound,
                          Figures.count(missing, "more block")),
              Map.of("ratio", ratio),
              "The missing blocks.");
    };
  }
}
