package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import java.util.List;

/**
 * Throughput at an N that was perhaps not measured.
 *
 * @param throughput by the chosen model; beyond the measured range its interval is that of all
 *     models together which the points do not rule out, each with its weight
 * @param extrapolated whether N lies beyond the measured range
 * @param models those in that interval
 */
public record Prediction(double n, Estimate throughput, boolean extrapolated, List<Model> models) {

  /** Copies the list. */
  public Prediction {
    models = List.copyOf(models);
  }
}
