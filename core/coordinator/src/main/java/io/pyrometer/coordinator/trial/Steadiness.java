package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.steady.SteadyState;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.WarmUp;
import java.util.List;

/** Decides when a warm-up may end, and describes it afterwards. */
final class Steadiness {
  private Steadiness() {}

  /** Whether the samples seen so far hold a steady part already. */
  static boolean reached(List<Long> samples) {
    return samples.size() >= TrialRecord.MIN_STEADY_SAMPLES
        && samples.size() % 5 == 0
        && SteadyState.of(doubles(samples)).settled();
  }

  /**
   * Judges the whole trial: it had settled if its steady part begins no later than the measured
   * one.
   */
  static WarmUp judge(List<Long> samples, int measuredFrom, boolean ended) {
    double seconds = measuredFrom / 10.0;
    String by = ended ? "ended when the samples were steady" : "ended by its limit";
    if (samples.size() < TrialRecord.MIN_STEADY_SAMPLES) {
      return new WarmUp(false, seconds, by + "; fewer than 4 s of samples cannot be judged");
    }
    SteadyState state = SteadyState.of(doubles(samples));
    boolean settled = state.settled() && state.truncation() <= measuredFrom;
    return new WarmUp(
        settled,
        seconds,
        "%s; MSER-5 and PELT find it %s"
            .formatted(
                by,
                state.settled()
                    ? "steady from %.1f s".formatted(state.truncation() / 10.0)
                    : "never steady"));
  }

  private static double[] doubles(List<Long> samples) {
    return samples.stream().mapToDouble(Long::doubleValue).toArray();
  }
}
