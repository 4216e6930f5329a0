package io.pyrometer.netem;

import io.pyrometer.protocol.Shape;
import java.util.SplittableRandom;

/** The departure time of each piece; pieces depart in the order of their arrival. */
final class DepartureSchedule {
  private final SplittableRandom random;
  private long lastDue = Long.MIN_VALUE;

  DepartureSchedule(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /**
   * @param link whose rate the bytes take their time on
   * @param heldUpSeconds on top of the shape's delay and jitter
   * @return by {@link System#nanoTime}
   */
  long due(int bytes, Shape shape, Link link, double heldUpSeconds) {
    double more = shape.delaySeconds() + shape.jitterSeconds() * random.nextDouble();
    long due = link.through(bytes, System.nanoTime()) + (long) ((more + heldUpSeconds) * 1e9);
    lastDue = lastDue == Long.MIN_VALUE || due - lastDue > 0 ? due : lastDue;
    return lastDue;
  }
}
