package io.pyrometer.driver.ignite.path;

/** Reads and updates of keys that are known to be there. */
final class Misses {

  private Misses() {}

  /**
   * @throws IllegalStateException if nothing was found: a call that misses is cheaper than one that
   *     hits, and would be counted as fast
   */
  static void check(long key, boolean found) {
    if (!found) {
      throw new IllegalStateException("Key " + key + " was filled in and is not there.");
    }
  }
}
