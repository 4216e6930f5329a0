package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.steady.Drift;
import io.pyrometer.analysis.steady.SteadyState;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.WarmUp;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Decides when a warm-up may end, and describes it afterwards. */
final class Steadiness {
  private Steadiness() {}

  /**
   * Whether the samples seen so far show that throughput hardly drifts any more: the interval of
   * the remaining drift lies within ±{@value Drift#EQUIVALENT_PERCENT} %.
   *
   * @param measured samples of the measured part that will follow
   */
  static boolean isShown(List<Long> samples, int measured) {
    return samples.size() >= TrialRecord.MIN_STEADY_SAMPLES
        && Drift.isEquivalent(Drift.remaining(doubles(samples), measured));
  }

  /**
   * Judges the whole trial: it had settled if its steady part begins no later than the measured
   * one.
   */
  static WarmUp judge(List<Long> samples, int measuredFrom, boolean ended) {
    double seconds = measuredFrom / 10.0;
    String by = ended ? "ended when the remaining drift was small" : "ended by its limit";
    if (samples.size() < TrialRecord.MIN_STEADY_SAMPLES) {
      return new WarmUp(false, seconds, by + "; fewer than 4 s of samples cannot be judged");
    }
    SteadyState state = SteadyState.of(doubles(samples));
    boolean settled = state.settled() && state.truncation() <= measuredFrom;
    Estimate drift = Drift.remaining(doubles(samples), samples.size() - measuredFrom);
    return new WarmUp(
        settled,
        seconds,
        String.format(
            Locale.ROOT,
            "%s; MSER-5 and PELT find it %s; remaining drift %+.1f %% [%+.1f, %+.1f]",
            by,
            state.settled()
                ? String.format(Locale.ROOT, "steady from %.1f s", state.truncation() / 10.0)
                : "never steady",
            drift.value(),
            drift.low(),
            drift.high()),
        Optional.of(drift));
  }

  private static double[] doubles(List<Long> samples) {
    return samples.stream().mapToDouble(Long::doubleValue).toArray();
  }
}
