package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A gate over many rows that share their noise: every pair of one {@link TreatmentModel}, judged at
 * once, after a number of blocks that was fixed before. A row is a regression where the loss is
 * significant, its one-sided p below the level after Holm's correction for all rows, and the
 * estimated loss is beyond the margin; what else a row shows, its interval decides ({@link
 * LossTest}). {@link SequentialComparison} judges rows that were looked at after every block.
 */
public final class ModelGate {
  private static final double CONFIDENCE = 0.95;

  private ModelGate() {}

  /**
   * Judges.
   *
   * @param response its name in the sentences
   * @return one test a pair, in order; empty where its data give no interval
   */
  public static List<Optional<LossTest>> judgeAll(
      TreatmentModel model, List<Pair> pairs, String response, GateRule rule) {
    return judgeAll(
        pairs.stream().map(pair -> new Row(ModelledPair.of(model, pair, response), rule)).toList());
  }

  /** A pair of some model, and the rule that it is judged by. */
  public record Row(ModelledPair of, GateRule rule) {}

  /** Judges pairs of several models, such as of several responses, as one family. */
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
