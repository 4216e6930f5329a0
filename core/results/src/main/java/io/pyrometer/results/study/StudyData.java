package io.pyrometer.results.study;

import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import java.util.List;

/**
 * What is to be explained.
 *
 * @param response its name in the observations and in sentences
 * @param unit of the response; may be empty
 */
public record StudyData(
    List<Observation> observations, String response, String unit, ResponseScale scale) {
  /** Of which one may say {@code throughput in records/s}. */
  String responseWithUnit() {
    return unit.isEmpty() ? response : response + " in " + unit;
  }
}
