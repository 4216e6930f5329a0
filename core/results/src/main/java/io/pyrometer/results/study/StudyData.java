package io.pyrometer.results.study;

import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import java.util.List;

/**
 * The response to be explained, with its observations.
 *
 * @param response its name in the observations and in sentences
 * @param unit of the response; may be empty
 */
public record StudyData(
    List<Observation> observations, String response, String unit, ResponseScale scale) {
  /** The response as an axis names it: {@code throughput in records/s}. */
  String responseWithUnit() {
    return unit.isEmpty() ? response : response + " in " + unit;
  }
}
