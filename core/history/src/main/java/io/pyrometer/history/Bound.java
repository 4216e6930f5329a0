package io.pyrometer.history;

/**
 * Where a search gives up. Counted rather than timed, so that a verdict does not depend on the
 * machine.
 *
 * @param steps operations tried
 * @param bytes estimated memory of the configurations that are remembered
 */
public record Bound(long steps, long bytes) {
  /** Some ten seconds and 256 MiB for each key. */
  public static final Bound DEFAULT = new Bound(50_000_000, 256L << 20);
}
