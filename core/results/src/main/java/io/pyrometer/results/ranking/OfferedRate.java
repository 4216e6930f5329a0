package io.pyrometer.results.ranking;

import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Stages;
import io.pyrometer.protocol.message.Value;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How a treatment under an open loop kept the rate that the experiment offers.
 *
 * @param callsPerSecond offered, over all agents
 * @param least achieved share of it in any of the trials, 1 for all of it
 * @param most likewise
 * @param backlog whether a trial began its measured part with calls that were overdue
 */
public record OfferedRate(double callsPerSecond, double least, double most, boolean backlog) {
  /** Less is a missed rate. */
  public static final double LEAST_HELD = 0.98;

  /** More is the work of an earlier backlog. */
  public static final double MOST_HELD = 1.02;

  /** The calls a second that are offered in a trial, of stages the mean; 0 for a closed loop. */
  public static double of(TrialRecord trial) {
    return trial
        .settings()
        .find(CoreSettings.STAGES)
        .map(Stages::meanRate)
        .orElseGet(() -> trial.settings().get(CoreSettings.RATE));
  }

  /** Offered rate of the valid trials of one treatment, at least one. */
  static OfferedRate of(List<TrialRecord> trials) {
    DoubleSummaryStatistics shares =
        trials.stream().mapToDouble(OfferedRate::achieved).summaryStatistics();
    return new OfferedRate(
        of(trials.get(0)),
        shares.getMin(),
        shares.getMax(),
        trials.stream()
            .anyMatch(
                trial ->
                    trial.value(Metric.BACKLOG_AT_START).orElse(0.0)
                        > (MOST_HELD - 1) * trial.counts().calls()));
  }

  /** The share of the offered rate that a trial achieved, as it was checked or else counted. */
  public static double achieved(TrialRecord trial) {
    OptionalDouble checked =
        trial.validity().stream()
            .filter(check -> check.name().equals(Attempts.ACHIEVED_RATE))
            .mapToDouble(check -> check.value() / 100)
            .findFirst();
    return checked.orElseGet(
        () -> trial.counts().calls() / Math.max(trial.counts().seconds(), 1e-9) / of(trial));
  }

  /** Returns whether every trial kept to it, within 2 %, and began without a backlog. */
  public boolean held() {
    return least >= LEAST_HELD && !drained();
  }

  /** Returns whether calls of before the measured part drained into it. */
  public boolean drained() {
    return most > MOST_HELD || backlog;
  }

  /** The achieved share: {@code 100 %}, or {@code 71 to 98.5 %}. */
  public String share() {
    String low = Value.share(least).text();
    String high = Value.share(most).text();
    return low.equals(high) ? low : low.replace(" %", "") + " to " + high;
  }
}
