package io.pyrometer.ignite.writer;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * What a write does while the writer has no room for it: it waits, for a limited time or not, or it
 * fails at once. {@link IgniteWriter#tryWrite} never waits, whatever the mode.
 *
 * @param longestWait how long a write waits for room before it throws {@link WriterFullException};
 *     zero to fail at once
 */
public record BackPressure(Duration longestWait) {
  public BackPressure {
    Objects.requireNonNull(longestWait, "longestWait");
    if (longestWait.isNegative()) {
      throw new IllegalArgumentException(
          "the longest wait must not be negative, as is " + longestWait);
    }
  }

  /** Waits as long as it takes. */
  public static BackPressure block() {
    return new BackPressure(ChronoUnit.FOREVER.getDuration());
  }

  /** Throws {@link WriterFullException} at once. */
  public static BackPressure fail() {
    return new BackPressure(Duration.ZERO);
  }

  /** Waits so long, then throws {@link WriterFullException}. */
  public static BackPressure waitAtMost(Duration longest) {
    return new BackPressure(longest);
  }
}
