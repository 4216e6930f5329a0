package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The intended starts of an open loop's calls, in nanoseconds of a {@link NanoClock}: evenly spaced
 * or exponentially distributed (Poisson arrivals), at the load thread's share of the rate. The
 * schedule never waits for the calls: a late call does not delay the next one's intended start.
 *
 * <p>Two pacers of the same settings, thread and seed give the same schedule, so that a second one
 * can count the arrivals that were due while the first still waits for calls.
 */
public final class Pacer {

  private static final long LONGEST_NAP = TimeUnit.MILLISECONDS.toNanos(50);

  private final double meanNanos;
  private final boolean poisson;
  private final SplittableRandom random;
  private double next;
  private long given;

  private Pacer(double meanNanos, boolean poisson, double first, long seed) {
    this.meanNanos = meanNanos;
    this.poisson = poisson;
    this.next = first;
    this.random = new SplittableRandom(seed);
  }

  /**
   * The load thread's schedule; the setting {@code rate} is that of all load threads together, in
   * calls per second.
   */
  public static Pacer of(Settings settings, LoadThread thread, long seed) {
    double mean = 1e9 * thread.count() / settings.get(CoreSettings.RATE);
    boolean poisson = settings.get(CoreSettings.ARRIVAL).equals("poisson");
    return new Pacer(mean, poisson, mean * thread.index() / thread.count(), seed + thread.index());
  }

  /** Begins the schedule at this time of the clock. */
  public void beginAt(long nanoTime) {
    next += nanoTime;
  }

  /** The next intended start. */
  public long next() {
    long intended = (long) next;
    next += poisson ? -Math.log(1 - random.nextDouble()) * meanNanos : meanNanos;
    given++;
    return intended;
  }

  /** Skips all arrivals due at this time, and returns the number of arrivals so far. */
  long dueBy(long nanoTime) {
    while ((long) next <= nanoTime) {
      next();
    }
    return given;
  }

  /** The next intended start, once it has come; sooner when interrupted or told to stop. */
  public long awaitNext(NanoClock clock, BooleanSupplier stopping) {
    long intended = next();
    long left = intended - clock.nanoTime();
    while (left > 0 && !stopping.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      clock.park(Math.min(left, LONGEST_NAP));
      left = intended - clock.nanoTime();
    }
    return intended;
  }
}
