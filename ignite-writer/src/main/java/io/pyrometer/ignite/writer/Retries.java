package io.pyrometer.ignite.writer;

import java.time.Duration;

/**
 * How a passing fault is met: wait, send again, wait twice as long, at most so often.
 *
 * @param most times a batch's entries are sent again before they fail; 0 for never
 * @param firstPause before the first repetition; later ones double, up to {@code longestPause}
 */
record Retries(int most, Duration firstPause, Duration longestPause) {
  static final Retries DEFAULT = new Retries(12, Duration.ofMillis(20), Duration.ofSeconds(1));

  boolean allows(int attempt) {
    return attempt < most;
  }

  long pauseNanos(int attempt) {
    long doubled = firstPause.toNanos() << Math.min(attempt, 20);
    return Math.min(doubled, longestPause.toNanos());
  }
}
