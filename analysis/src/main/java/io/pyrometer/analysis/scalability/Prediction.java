package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import java.util.List;

/**
 * Throughput at an N that was perhaps not measured.
 *
 * @param throughput by the chosen model; beyond the measured range its interval is the union of
 *     those of all models that the points do not rule out
 * @param extrapolated whether N lies beyond the measured range
 * @param models those in the union
 */
public record Prediction(double n, Estimate throughput, boolean extrapolated, List<Model> models) {

  /** Copies the list. */
  public Prediction {
    models = List.copyOf(models);
  }
}
