package io.pyrometer.ignite.writer;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells faults of a cache that is not there yet, or no more, from those of keys. While a cluster
 * becomes active it answers that its caches do not exist, or fails in other ways, and that it is
 * active. So for some time after it was last seen unready every fault is a passing one, and a cache
 * counts as destroyed when a ready cluster has not known it for as long.
 */
final class Readiness {
  static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The state of a cache. */
  enum State {
    READY,
    /** The cluster is inactive or read-only, or has not started the cache. */
    UNREADY,
    /** The cluster does not know the cache. */
    ABSENT
  }

  private final String cache;
  private final Supplier<State> look;
  private long unready = System.nanoTime() - SETTLING_NANOS; // when it was last seen so
  private long present = System.nanoTime(); // when the cache was last not seen absent
  private boolean absent;

  Readiness(String cache, Supplier<State> look) {
    this.cache = cache;
    this.look = look;
  }

  /** Looks at the cache, without a fault. */
  synchronized State look() {
    State state = look.get();
    long now = System.nanoTime();
    if (state == State.UNREADY) {
      unready = now;
    }
    if (state != State.ABSENT || !absent) {
      present = now;
    }
    absent = state == State.ABSENT;
    return state;
  }

  /** The fault of keys, or, if the cache is not ready, one that passes, or that never will. */
  synchronized Fault judge(Fault ofKeys) {
    State state = look();
    long now = System.nanoTime();
    if (Fault.isOfStoppedCache(ofKeys.cause)) { // a server may know before this client
      unready = now;
    }
    if (state == State.ABSENT && now - present >= SETTLING_NANOS) {
      return Fault.of(
          Fault.Kind.FINAL,
          new IllegalStateException(
              "cache " + cache + " does not exist: it was destroyed", ofKeys.cause));
    }
    return state == State.READY && now - unready >= SETTLING_NANOS
        ? ofKeys
        : new Fault(Fault.Kind.PASSING, ofKeys.failedKeys, ofKeys.cause, true);
  }
}
