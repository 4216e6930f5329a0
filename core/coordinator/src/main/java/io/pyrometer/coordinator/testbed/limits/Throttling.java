package io.pyrometer.coordinator.testbed.limits;

/**
 * How a process was held back by its quota.
 *
 * @param periods that it ran in
 * @param throttled periods in which it used its quota up
 * @param throttledSeconds for which its threads were stopped
 */
public record Throttling(long periods, long throttled, double throttledSeconds) {
  public static final Throttling NONE = new Throttling(0, 0, 0);

  /** What was added since an earlier reading. */
  public Throttling since(Throttling before) {
    return new Throttling(
        periods - before.periods,
        throttled - before.throttled,
        throttledSeconds - before.throttledSeconds);
  }
}
