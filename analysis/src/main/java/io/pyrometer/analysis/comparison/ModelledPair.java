package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.TreatmentModel;
import java.util.Optional;

/**
 * What a model says of a pair, to be judged in a family with pairs of other models.
 *
 * @param response its name in the sentences, for example {@code throughput}
 * @param lnRatio ln of candidate over baseline; empty where the data hold no noise to judge it by
 * @param blocks that the pair rests on, at least 1
 * @param obstacle why there is no ratio; blank if there is one
 */
public record ModelledPair(
    Pair pair, String response, Optional<Contrast> lnRatio, int blocks, String obstacle) {

  static ModelledPair of(TreatmentModel model, Pair pair, String response) {
    Optional<String> obstacle = model.obstacle(pair.baseline(), pair.candidate());
    if (obstacle.isPresent()) {
      return new ModelledPair(pair, response, Optional.empty(), 1, obstacle.get());
    }
    return new ModelledPair(
        pair,
        response,
        Optional.of(model.lnRatio(pair.baseline(), pair.candidate())),
        model.blocks(pair.baseline(), pair.candidate()),
        "");
  }

  Optional<Estimate> ratio(double confidence) {
    return lnRatio.map(ln -> ln.estimate(confidence, blocks, "").exp());
  }
}
