package io.pyrometer.driver.ignite.path;

import org.jspecify.annotations.Nullable;

/** Reads of keys that are known to be there. */
final class Misses {

  private Misses() {}

  /**
   * @throws IllegalStateException if nothing was found: a read that misses is cheaper than one that
   *     hits, and would be counted as fast
   */
  static void check(long key, @Nullable Object found) {
    if (found == null) {
      throw new IllegalStateException("Key " + key + " was filled in and is not there.");
    }
  }
}
