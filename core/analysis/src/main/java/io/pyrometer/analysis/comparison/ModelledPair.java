package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import java.util.Optional;

/**
 * The ratio of a pair as a model estimates it, to be judged in a family with pairs of other models.
 *
 * @param response its name in the sentences, for example {@code throughput}
 * @param lnRatio ln of candidate over baseline; empty where the data hold no noise to judge it by
 * @param replicates that the pair rests on, at least 1
 * @param replicate what one of them is: {@code block}, or {@code run} where both were repeated
 * @param obstacle why there is no ratio; blank if there is one
 */
public record ModelledPair(
    Pair pair,
    String response,
    Optional<Contrast> lnRatio,
    int replicates,
    String replicate,
    String obstacle) {

  /** A pair with a ratio. */
  public static ModelledPair of(
      Pair pair, String response, Contrast lnRatio, int replicates, String replicate) {
    return new ModelledPair(pair, response, Optional.of(lnRatio), replicates, replicate, "");
  }

  /** A pair that cannot be judged. */
  public static ModelledPair obstructed(Pair pair, String response, String obstacle) {
    return new ModelledPair(pair, response, Optional.empty(), 1, "block", obstacle);
  }

  /** A pair of a model whose treatments were measured in blocks. */
  static ModelledPair of(BlockModel model, Pair pair, String response) {
    return model
        .obstacle(pair.baseline(), pair.candidate())
        .map(obstacle -> obstructed(pair, response, obstacle))
        .orElseGet(
            () ->
                of(
                    pair,
                    response,
                    model.lnRatio(pair.baseline(), pair.candidate()),
                    model.blocks(pair.baseline(), pair.candidate()),
                    "block"));
  }

  Optional<Estimate> ratio(double confidence) {
    return lnRatio.map(ln -> ln.estimate(confidence, replicates, "").exp());
  }
}
