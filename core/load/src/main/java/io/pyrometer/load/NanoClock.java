package io.pyrometer.load;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/** The clock of a load generator, so that schedules and windows can be tested without waiting. */
public interface NanoClock {

  /** {@link System#nanoTime()} and {@link LockSupport#parkNanos(long)}. */
  NanoClock SYSTEM =
      new NanoClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
          LockSupport.parkNanos(nanos);
        }
      };

  /** Nanoseconds since some fixed instant. */
  long nanoTime();

  /** The wall clock of this host, in microseconds since 1970. */
  default long epochMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** Lets at most so much time pass. */
  void park(long nanos);

  /**
   * Returns at an instant, which steps of the wall clock meanwhile do not move. The last
   * millisecond is spun, since a parked thread wakes up late, by about 60 µs.
   *
   * @param epochMicros by the wall clock, since 1970
   * @return microseconds by which the instant had passed already; 0 if it was waited for
   */
  default long await(long epochMicros) {
    long micros = epochMicros - epochMicros();
    long end = nanoTime() + 1_000 * micros;
    for (long left = end - nanoTime(); left > 0; left = end - nanoTime()) {
      if (left > 1_000_000) {
        park(left - 1_000_000);
      } else {
        Thread.onSpinWait();
      }
    }
    return Math.max(0, -micros);
  }
}
