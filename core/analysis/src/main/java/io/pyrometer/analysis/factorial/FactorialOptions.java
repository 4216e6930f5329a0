package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;

/**
 * How to analyse a factorial experiment.
 *
 * @param scale on which effects are taken to add
 * @param response its name
 * @param unit of the response
 */
public record FactorialOptions(
    ResponseScale scale, double confidence, String response, String unit) {
  /** On ln y, 95 %. */
  public static final FactorialOptions DEFAULT =
      new FactorialOptions(ResponseScale.LN, 0.95, "the response", "");

  /** Throws {@link io.pyrometer.analysis.BadDataException} on a confidence outside (0, 1). */
  public FactorialOptions {
    Samples.confidence(confidence);
  }

  /** These options on another scale. */
  public FactorialOptions on(ResponseScale newScale) {
    return new FactorialOptions(newScale, confidence, response, unit);
  }

  /** These options for another response. */
  public FactorialOptions named(String newResponse, String newUnit) {
    return new FactorialOptions(scale, confidence, newResponse, newUnit);
  }

  /** A value with its interval on the scale of the analysis. */
  Estimate estimate(double value, double half, int replicates, String ofUnit) {
    return new Estimate(value, value - half, value + half, confidence, replicates, ofUnit);
  }

  /** A mean on the scale of the analysis, back on that of the response. */
  Estimate back(Estimate mean) {
    return mean.map(scale::back, unit);
  }

  /** A change on the scale of the analysis: a ratio on ln y, a difference on y. */
  Estimate changed(Estimate change) {
    return scale == ResponseScale.LN ? change.exp() : change;
  }
}
