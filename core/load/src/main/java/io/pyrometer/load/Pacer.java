package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Stages;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The intended starts of an open loop's calls, in nanoseconds of a {@link NanoClock}: evenly spaced
 * or exponentially distributed (Poisson arrivals), at the load thread's share of the rate, which
 * may follow stages. The schedule never waits for the calls: a late call does not delay the next
 * one's intended start.
 *
 * <p>Two pacers of the same settings, thread and seed give the same schedule, so that a second one
 * can count the arrivals that were due while the first still waits for calls.
 */
public final class Pacer {

  private static final long LONGEST_NAP = TimeUnit.MILLISECONDS.toNanos(50);

  private final double meanNanos;
  private final boolean poisson;
  private final SplittableRandom random;
  private final SplittableRandom randomOfStages;
  private final Optional<Stages> stages;
  private final LoadThread thread;
  private volatile long stagesFrom = Long.MAX_VALUE;
  private double next;
  private double due;
  private boolean staged;
  private long given;

  private Pacer(Settings settings, LoadThread thread, long seed) {
    this.meanNanos = 1e9 * thread.count() / settings.get(CoreSettings.RATE);
    this.poisson = settings.get(CoreSettings.ARRIVAL).equals("poisson");
    this.stages = settings.find(CoreSettings.STAGES);
    this.thread = thread;
    this.due = (double) thread.index() / thread.count();
    this.next = meanNanos * due;
    this.random = new SplittableRandom(seed);
    this.randomOfStages = new SplittableRandom(~seed);
  }

  /**
   * The load thread's schedule; the setting {@code rate} is that of all load threads together, in
   * calls per second.
   */
  public static Pacer of(Settings settings, LoadThread thread, long seed) {
    return new Pacer(settings, thread, seed + thread.index());
  }

  /** Begins the schedule at this time of the clock. */
  public void beginAt(long nanoTime) {
    next += nanoTime;
  }

  /**
   * From this time of the clock on, which must be to come, the rate follows the setting {@code
   * stages}, if it is given; arrivals that were due later are dropped. Any thread.
   */
  void stagesFrom(long nanoTime) {
    if (stages.isPresent()) {
      stagesFrom = nanoTime;
    }
  }

  /** The next intended start. */
  public long next() {
    long intended = peek();
    if (staged) {
      due += poisson ? exponential(randomOfStages) : 1;
      next = stagesFrom + dueNanos();
    } else {
      next += meanNanos * (poisson ? exponential(random) : 1);
    }
    given++;
    return intended;
  }

  private long peek() {
    if (!staged && next >= stagesFrom) {
      staged = true;
      next = stagesFrom + dueNanos();
    }
    return (long) next;
  }

  /**
   * Nanoseconds from the begin of the stages to the next call of this thread. All threads together
   * make {@code due × count} calls until then.
   */
  private double dueNanos() {
    return 1e9 * stages.orElseThrow().secondsUntil(due * thread.count());
  }

  private static double exponential(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble());
  }

  /** Skips all arrivals due at this time, and returns the number of arrivals so far. */
  long dueBy(long nanoTime) {
    while (peek() <= nanoTime) {
      next();
    }
    return given;
  }

  /** The next intended start, once it has come; sooner when interrupted or told to stop. */
  public long awaitNext(NanoClock clock, BooleanSupplier stopping) {
    long left = peek() - clock.nanoTime();
    while (left > 0 && !stopping.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      clock.park(Math.min(left, LONGEST_NAP));
      left = peek() - clock.nanoTime();
    }
    return next();
  }
}
