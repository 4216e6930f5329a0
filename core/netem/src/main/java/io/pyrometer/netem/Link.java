package io.pyrometer.netem;

/** One direction of a link that carries one piece after the other. Safe for several threads. */
final class Link {
  private final double nanosPerByte;
  private long freeAt = Long.MIN_VALUE;

  /**
   * @param bitsPerSecond 0 for no limit
   */
  Link(double bitsPerSecond) {
    nanosPerByte = bitsPerSecond > 0 ? 8e9 / bitsPerSecond : 0;
  }

  /** The time at which a piece that arrives now has passed, in nanoseconds. */
  synchronized long through(int bytes, long now) {
    if (nanosPerByte == 0) {
      return now;
    }
    long begin = freeAt == Long.MIN_VALUE || freeAt - now < 0 ? now : freeAt;
    freeAt = begin + (long) (bytes * nanosPerByte);
    return freeAt;
  }
}
