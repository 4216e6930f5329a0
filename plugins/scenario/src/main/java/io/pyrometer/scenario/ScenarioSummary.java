package io.pyrometer.scenario;

import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import java.util.List;
import java.util.Map;

/**
 * The summary of a scenario trial's logs; an artefact of the trial.
 *
 * @param requests that count
 * @param outcomes how many of them ended so, by the outcome's name
 * @param split where the time of completed requests went, by the part's name
 * @param counts of other events, such as stale reads, by name
 * @param clocks of the other processes against the client's
 * @param inFlight requests without an outcome, at each tenth of a second
 * @param measuredFrom index in {@code inFlight} of the begin of the measured part
 */
public record ScenarioSummary(
    int schema,
    long requests,
    Map<String, Long> outcomes,
    Split split,
    Map<String, Long> counts,
    List<Clock> clocks,
    List<Long> inFlight,
    int measuredFrom) {

  /** The kind of the artefact. */
  public static final String SUMMARY = "scenario";

  /** The kind of the artefact that holds the timers. */
  public static final String TIMERS = "timers";

  /** The kind of the artefacts that hold the processes' spans. */
  public static final String SPANS = "spans";

  /** The requests that ended so; 0 where none did. */
  public long outcome(String name) {
    return outcomes.getOrDefault(name, 0L);
  }

  /**
   * The time of completed requests, in milliseconds.
   *
   * @param requests whose way could be followed through all processes
   * @param impossible of these, the requests with a message that was received before it was sent,
   *     by more than the clocks' known error
   * @param whole from the intended start to the reply, by the client's clock alone
   * @param parts by name; each is measured within one process, or between two
   */
  public record Split(long requests, long impossible, Times whole, Map<String, Times> parts) {

    /** The mean of the whole without the mock's own delay, milliseconds. */
    public double withoutMock() {
      return whole.mean() - parts.getOrDefault(Part.MOCK.words(), Times.NONE).mean();
    }

    /**
     * By how much the sum of the parts differs from the whole, in percent of the whole without the
     * mock's own delay, which would hide what is missing.
     */
    public double differencePercent() {
      double sum = parts.values().stream().mapToDouble(Times::mean).sum();
      return withoutMock() <= 0 ? 0 : 100 * (sum - whole.mean()) / withoutMock();
    }
  }

  /** A distribution in milliseconds. */
  public record Times(double mean, double p50, double p99, double max) {
    /** Times of no durations. */
    public static final Times NONE = new Times(0, 0, 0, 0);
  }

  /** One process's clock against the client's, before and after the load. */
  public record Clock(ClockComparison before, ClockComparison after) {}
}
