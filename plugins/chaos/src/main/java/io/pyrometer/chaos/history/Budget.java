package io.pyrometer.chaos.history;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time and the memory of one check, which all of its searches share. */
public final class Budget {
  /** Time that the check of a trial's history may take. */
  public static final Duration TIME = Duration.ofSeconds(60);

  /** Memory of one search for the configurations that it remembers. */
  public static final long BYTES = 256L << 20;

  private final LongSupplier nanoTime;
  private final long until;
  private final long bytes;

  private Budget(LongSupplier nanoTime, long until, long bytes) {
    this.nanoTime = nanoTime;
    this.until = until;
    this.bytes = bytes;
  }

  /** Begins now. */
  public static Budget of(Duration time) {
    return of(time, BYTES, System::nanoTime);
  }

  /**
   * Begins now.
   *
   * @param bytes of one search
   * @param nanoTime monotonic, ns
   */
  public static Budget of(Duration time, long bytes, LongSupplier nanoTime) {
    return new Budget(nanoTime, nanoTime.getAsLong() + time.toNanos(), bytes);
  }

  /** A budget that ends with a share of the time that remains. */
  public Budget part(double share) {
    long now = nanoTime.getAsLong();
    return new Budget(nanoTime, now + (long) (share * Math.max(0, until - now)), bytes);
  }

  /** Returns whether no time remains. */
  public boolean spent() {
    return nanoTime.getAsLong() - until >= 0;
  }

  public long bytes() {
    return bytes;
  }
}
