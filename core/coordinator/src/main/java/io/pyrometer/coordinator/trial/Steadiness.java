package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.steady.Drift;
import io.pyrometer.analysis.steady.SteadyState;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides when a warm-up may end, and describes it afterwards: by throughput where the load decides
 * it, and by latency where the rate is offered.
 */
final class Steadiness {
  private Steadiness() {}

  /**
   * Returns whether the samples seen so far show that throughput hardly drifts any more: the
   * interval of the remaining drift lies within ±{@value Drift#EQUIVALENT_PERCENT} %.
   *
   * @param measured samples of the measured part that will follow
   */
  static boolean isShown(List<Long> samples, int measured) {
    return samples.size() >= TrialRecord.MIN_STEADY_SAMPLES
        && Drift.isEquivalent(Drift.remaining(doubles(samples), measured));
  }

  /** The samples by which a trial is judged. */
  static List<Long> samples(Settings settings, SampleSeries series) {
    return isOffered(settings) ? series.latencies() : series.complete();
  }

  /**
   * Samples of the measured part that the drift is extended over; none where stages change the rate
   * there.
   */
  static int measured(Settings settings) {
    return settings.has(CoreSettings.STAGES) ? 0 : (int) (10 * settings.get(CoreSettings.MEASURE));
  }

  private static boolean isOffered(Settings settings) {
    return settings.find(CoreSettings.RATE).orElse(0.0) > 0;
  }

  /** Judges a trial by its settings: of stages the warm-up alone. */
  static WarmUp judge(Settings settings, SampleSeries series, int measuredFrom, boolean ended) {
    if (CoreSettings.loadsOnce(settings)) {
      return new WarmUp(true, 0, Messages.format("coordinator.no-warm-up"));
    }
    List<Long> samples = samples(settings, series);
    int judged =
        settings.has(CoreSettings.STAGES) ? Math.min(measuredFrom, samples.size()) : samples.size();
    WarmUp warmUp = judge(samples.subList(0, judged), measuredFrom, ended);
    return isOffered(settings)
        ? new WarmUp(
            warmUp.settled(),
            warmUp.seconds(),
            "by latency; " + warmUp.method(),
            warmUp.driftPercent())
        : warmUp;
  }

  /**
   * Judges the whole trial: it had settled if its steady part begins no later than the measured
   * one.
   */
  static WarmUp judge(List<Long> samples, int measuredFrom, boolean ended) {
    double seconds = measuredFrom / 10.0;
    String by =
        Messages.format(ended ? "coordinator.warm-up-settled" : "coordinator.warm-up-limit");
    if (samples.size() < TrialRecord.MIN_STEADY_SAMPLES) {
      return new WarmUp(false, seconds, Messages.format("coordinator.few-samples", by));
    }
    SteadyState state = SteadyState.of(doubles(samples));
    boolean settled = state.settled() && state.truncation() <= measuredFrom;
    Estimate drift = Drift.remaining(doubles(samples), samples.size() - measuredFrom);
    return new WarmUp(
        settled,
        seconds,
        String.format(
            Locale.ROOT,
            "%s; MSER-5 finds it %s; remaining drift %+.1f %% [%+.1f, %+.1f]",
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
