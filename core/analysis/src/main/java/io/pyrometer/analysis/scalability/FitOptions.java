package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;

/**
 * How to fit.
 *
 * @param scale of the residuals
 * @param physical whether parameters stay within their bounds (σ ≥ 0, κ ≥ 0, no upper bound); if
 *     not, a negative κ is given as it comes, as other tools do
 * @param confidence of the intervals
 * @param what is counted by N, in the plural, for example {@code nodes}
 * @param unit of the throughput
 */
public record FitOptions(
    ResponseScale scale, boolean physical, double confidence, String what, String unit) {
  /** On ln X, within bounds, 95 %. */
  public static final FitOptions DEFAULT =
      new FitOptions(ResponseScale.LN, true, 0.95, "nodes", "");

  /** Throws {@link io.pyrometer.analysis.BadDataException} on a confidence outside (0, 1). */
  public FitOptions {
    Samples.confidence(confidence);
  }

  /** The same on another scale. */
  public FitOptions withScale(ResponseScale newScale) {
    return new FitOptions(newScale, physical, confidence, what, unit);
  }

  /** The same without bounds. */
  public FitOptions free() {
    return new FitOptions(scale, false, confidence, what, unit);
  }

  /** The same with other words in the sentences. */
  public FitOptions named(String newWhat, String newUnit) {
    return new FitOptions(scale, physical, confidence, newWhat, newUnit);
  }
}
