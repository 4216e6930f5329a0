package io.pyrometer.load;

import io.pyrometer.protocol.Settings;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The intended starts of an open loop's calls, in {@link System#nanoTime()}: evenly spaced or
 * exponentially distributed (Poisson arrivals), at the lane's share of the rate. The schedule never
 * waits for the calls: a late call does not delay the next one's intended start.
 */
final class Pacer {

  private static final long LONGEST_NAP = TimeUnit.MILLISECONDS.toNanos(50);

  private final double meanNanos;
  private final boolean poisson;
  private final SplittableRandom random;
  private double next;

  private Pacer(double meanNanos, boolean poisson, double first, long seed) {
    this.meanNanos = meanNanos;
    this.poisson = poisson;
    this.next = first;
    this.random = new SplittableRandom(seed);
  }

  /** The lane's schedule; {@code rate} is that of all lanes together, in calls per second. */
  static Pacer of(Settings settings, LoadThread lane, long seed) {
    double mean = 1e9 * lane.count() / settings.decimal("rate");
    boolean poisson = settings.text("arrival").equals("poisson");
    return new Pacer(mean, poisson, mean * lane.index() / lane.count(), seed + lane.index());
  }

  void beginAt(long nanoTime) {
    next += nanoTime;
  }

  /** The next intended start. */
  long next() {
    long intended = (long) next;
    next += poisson ? -Math.log(1 - random.nextDouble()) * meanNanos : meanNanos;
    return intended;
  }

  /** The next intended start, once it has come; sooner when interrupted or told to stop. */
  long awaitNext(BooleanSupplier stopping) {
    long intended = next();
    long left = intended - System.nanoTime();
    while (left > 0 && !stopping.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(Math.min(left, LONGEST_NAP));
      left = intended - System.nanoTime();
    }
    return intended;
  }
}
