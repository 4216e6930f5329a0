package io.pyrometer.ignite.writer;

import java.time.Duration;

/** Durations as nanoseconds that can be added to {@link System#nanoTime()} without overflow. */
final class Nanos {
  /** About 146 years. */
  static final long FOREVER = Long.MAX_VALUE / 2;

  private static final Duration LONGEST = Duration.ofNanos(FOREVER);

  private Nanos() {}

  /** The nanoseconds of a duration, at most {@link #FOREVER}. */
  static long of(Duration duration) {
    return duration.compareTo(LONGEST) >= 0 ? FOREVER : duration.toNanos();
  }

  /** The instant of {@link System#nanoTime()} that lies a duration ahead. */
  static long deadline(long nanosAhead) {
    return System.nanoTime() + nanosAhead;
  }
}
