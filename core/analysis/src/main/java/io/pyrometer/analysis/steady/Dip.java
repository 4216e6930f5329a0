package io.pyrometer.analysis.steady;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * The dip of a rate after an event. The rate is averaged over windows of {@value #WINDOW} samples.
 * Before is the mean of the samples before the event; a dip is what falls below {@value #RECOVERED}
 * of it, or below the lowest window before the event if that is lower, so that the noise seen
 * before is no dip.
 *
 * @param depth share of the rate before by which the lowest window falls short of it; 0 if none
 *     does
 * @param below for how many seconds after the event the windows are below the limit, all together
 * @param seconds from the event to the end of the last window below the limit; 0 without a dip,
 *     empty where the rate is still below it at the end
 */
public record Dip(double depth, double below, OptionalDouble seconds) {
  /** Samples of a window. */
  public static final int WINDOW = 5;

  /** Share of the rate before that counts as recovered. */
  public static final double RECOVERED = 0.9;

  /** Samples before the event that are needed. */
  public static final int LEAST_BEFORE = 2 * WINDOW;

  /**
   * The dip after an event.
   *
   * @param samples what was done in each sample
   * @param sampleSeconds length of a sample
   * @param event index of the sample in which the event happened, at least {@value #LEAST_BEFORE}
   * @throws IllegalArgumentException if there are too few samples before the event or after it
   */
  public static Dip after(double[] samples, double sampleSeconds, int event) {
    if (event < LEAST_BEFORE || samples.length - event < WINDOW) {
      throw new IllegalArgumentException(
          "A dip needs %d samples before the event and %d after it."
              .formatted(LEAST_BEFORE, WINDOW));
    }
    double before = Arrays.stream(samples, 0, event).average().orElseThrow();
    double lowestBefore = Double.MAX_VALUE;
    for (int from = 0; from + WINDOW <= event; from++) {
      lowestBefore = Math.min(lowestBefore, window(samples, from));
    }
    double limit = Math.min(RECOVERED * before, lowestBefore);
    double lowest = before;
    int lastBelow = -1;
    int below = 0;
    for (int from = event; from + WINDOW <= samples.length; from++) {
      double rate = window(samples, from);
      if (rate < limit) {
        lastBelow = from + WINDOW;
        below++;
      }
      lowest = Math.min(lowest, rate);
    }
    if (lastBelow < 0) {
      return new Dip(0, 0, OptionalDouble.of(0));
    }
    return new Dip(
        1 - lowest / before,
        below * sampleSeconds,
        lastBelow >= samples.length
            ? OptionalDouble.empty()
            : OptionalDouble.of((lastBelow - event) * sampleSeconds));
  }

  private static double window(double[] samples, int from) {
    return Arrays.stream(samples, from, from + WINDOW).average().orElseThrow();
  }
}
