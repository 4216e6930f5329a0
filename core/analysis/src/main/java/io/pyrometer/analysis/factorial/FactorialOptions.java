package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;

/**
 * How to analyse a factorial experiment.
 *
 * @param scale on which effects are taken to add
 * @param response its name, for the sentences
 * @param unit of the response
 * @param removeBlocks whether what the blocks have in common is taken out of the error; each
 *     replicate is then one block
 */
public record FactorialOptions(
    ResponseScale scale, double confidence, String response, String unit, boolean removeBlocks) {
  /** On ln y, 95 %, blocks taken out. */
  public static final FactorialOptions DEFAULT =
      new FactorialOptions(ResponseScale.LN, 0.95, "the response", "", true);

  /** Throws {@link io.pyrometer.analysis.BadDataException} on a confidence outside (0, 1). */
  public FactorialOptions {
    Samples.confidence(confidence);
  }

  /** A change of the response in words: a ratio on ln y, a difference on y. */
  String changed(double change) {
    if (scale == ResponseScale.LN) {
      return Figures.change(change);
    }
    String unitAfter = unit.isEmpty() ? "" : " " + unit;
    return (change > 0 ? "+" : "") + Figures.plain(change).replace('-', '−') + unitAfter;
  }

  /** The same on another scale. */
  public FactorialOptions on(ResponseScale newScale) {
    return new FactorialOptions(newScale, confidence, response, unit, removeBlocks);
  }

  /** The same for another response. */
  public FactorialOptions named(String newResponse, String newUnit) {
    return new FactorialOptions(scale, confidence, newResponse, newUnit, removeBlocks);
  }

  /** The same with the blocks left in the error, as in textbooks' formulas. */
  FactorialOptions keepingBlocks() {
    return new FactorialOptions(scale, confidence, response, unit, false);
  }
}
