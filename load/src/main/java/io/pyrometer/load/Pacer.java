package io.pyrometer.load;

import io.pyrometer.protocol.Settings;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The intended starts of an open loop's calls, in {@link System#nanoTime()}: evenly spaced or
 * exponentially distributed (Poisson arrivals), at the lane's share of the rate. The schedule never
 * waits for the calls: a late call does not delay the next one's intended start.
 */
final class Pacer {

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
  static Pacer of(Settings settings, Lane lane, long seed) {
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

  /** Waits until then, if it is not past; wakes early when interrupted. */
  static void await(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }
}
