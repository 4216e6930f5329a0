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
}
