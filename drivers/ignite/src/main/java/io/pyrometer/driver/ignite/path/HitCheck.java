package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;

/** Checks hits and misses: a miss is cheaper than a hit, so it must be intended. */
final class HitCheck {

  private HitCheck() {}

  /**
   * @throws IllegalStateException if nothing was found at a key that was filled in
   */
  static void check(long key, boolean found) {
    if (!found) {
      throw new IllegalStateException("Key " + key + " was filled in but is absent.");
    }
  }

  /**
   * @throws IllegalStateException also if something was found at a key that was never written
   */
  static void check(Call call, boolean found) {
    if (!call.misses()) {
      check(call.key(0), found);
    } else if (found) {
      throw new IllegalStateException("Key " + call.key(0) + " was never written but is present.");
    }
  }
}
