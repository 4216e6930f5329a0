package io.pyrometer.driver;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions that nothing signals. */
public final class Poll {
  private static final long INTERVAL_MILLIS = 10;

  private Poll() {}

  /**
   * Returns when the condition holds.
   *
   * @return false if it does not within the limit, or if the thread is interrupted
   */
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - end > 0) {
          return false;
        }
        Thread.sleep(INTERVAL_MILLIS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
