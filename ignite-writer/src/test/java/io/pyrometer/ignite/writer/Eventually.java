package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits for what happens on other threads. */
final class Eventually {
  private Eventually() {}

  static void holds(String what, BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    long limit = Duration.ofSeconds(60).toNanos();
    for (long waited = 0; waited < limit && !condition.getAsBoolean(); ) {
      Thread.sleep(Math.min(50, 2 + waited / 20_000_000)); // conditions may be calls to servers
      waited = System.nanoTime() - start;
    }
    assertThat(condition.getAsBoolean()).as(what).isTrue();
  }

  /** Waits for a latch; an interrupt ends the wait and is kept. */
  static void opens(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void waits(Thread thread) throws InterruptedException {
    holds(
        "the thread waits",
        () ->
            thread.getState() == Thread.State.TIMED_WAITING
                || thread.getState() == Thread.State.WAITING);
  }
}
