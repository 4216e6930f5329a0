package io.pyrometer.coordinator.time;

import io.pyrometer.protocol.Daemon;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A clock that can also be waited on. The coordinator reads the time, sleeps and waits for answers
 * through this interface alone; a test hands in a virtual one, on which an hour passes at once.
 */
public interface Time {

  Time SYSTEM =
      new Time() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public void sleep(Duration duration) {
          try {
            Thread.sleep(duration.toMillis());
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
          }
        }

        @Override
        public <T> T await(CompletableFuture<T> future, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
          return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void beside(Runnable work) {
          Daemon.start("beside", work);
        }
      };

  /** Nanoseconds of a steady clock; only differences mean anything. */
  long nanoTime();

  Instant now();

  /** Returns after the duration, or at once with the interrupt flag set if interrupted. */
  void sleep(Duration duration);

  /** Waits for a future as {@link CompletableFuture#get(long, TimeUnit)} does. */
  <T> T await(CompletableFuture<T> future, Duration timeout)
      throws ExecutionException, TimeoutException, InterruptedException;

  /** Has work done while the caller goes on; in virtual time it is done at once. */
  void beside(Runnable work);

  /** Seconds since an earlier {@link #nanoTime()}. */
  default double secondsSince(long nanoTime) {
    return (nanoTime() - nanoTime) / 1e9;
  }
}
