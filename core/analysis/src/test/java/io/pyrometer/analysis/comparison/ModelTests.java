package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import java.util.List;
import java.util.Optional;

/** Loss tests of the pairs of one model. */
public final class ModelTests {
  private ModelTests() {}

  /** One test a pair, in order; empty where its data give no interval. */
  public static List<Optional<LossTest>> judgeAll(
      BlockModel model, List<Pair> pairs, String response, GateRule rule) {
    return LossTest.judgeAll(
        pairs.stream()
            .map(pair -> new LossTest.Row(ModelledPair.of(model, pair, response), rule))
            .toList());
  }
}
