package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;

/**
 * The steady part of a trial: {@link Drift} decides by how much its last quarter still differs from
 * the one before, and {@link Mser5} says where to cut the front off. Outlying samples, as of GC
 * pauses, are replaced first. Fewer than half of the launches of a virtual machine reach a steady
 * peak (Barrett and others, Virtual machine warmup blows hot and cold, 2017), so 'never' is a
 * regular answer.
 *
 * @param settled whether there is a steady part of at least half of the window
 * @param truncation how many samples to drop from the front; where nothing settled, the cut that
 *     leaves the least spread
 */
public record SteadyState(boolean settled, int truncation) {

  /**
   * Judges a series.
   *
   * @param samples throughput at even times, at least 40
   * @throws io.pyrometer.analysis.BadDataException if there are fewer, or one is not finite
   */
  public static SteadyState of(double[] samples) {
    Samples.checked(samples, Mser5.LEAST_SAMPLES, "the time series");
    double[] calm = Drift.withoutPauses(samples);
    Mser5 mser5 = Mser5.of(calm);
    Estimate drift = Drift.lastQuarter(calm);
    if (!Drift.still(drift)) {
      return new SteadyState(false, mser5.truncation());
    }
    int rest = Drift.differs(calm) ? samples.length / 2 : 0;
    return new SteadyState(true, mser5.settled() ? mser5.truncation() : rest);
  }
}
