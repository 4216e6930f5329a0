package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;

/**
 * How to fit.
 *
 * @param scale of the residuals
 * @param confidence of the intervals
 * @param what is counted by N, in the plural, for example {@code nodes}
 * @param unit of the throughput
 */
public record FitOptions(ResponseScale scale, double confidence, String what, String unit) {
  /** On ln X, 95 %. */
  public static final FitOptions DEFAULT = new FitOptions(ResponseScale.LN, 0.95, "nodes", "");

  /** Throws {@link io.pyrometer.analysis.BadDataException} on a confidence outside (0, 1). */
  public FitOptions {
    Samples.confidence(confidence);
  }

  /** These options on another scale. */
  public FitOptions withScale(ResponseScale newScale) {
    return new FitOptions(newScale, confidence, what, unit);
  }

  /** These options for other units. */
  public FitOptions named(String newWhat, String newUnit) {
    return new FitOptions(scale, confidence, newWhat, newUnit);
  }
}
