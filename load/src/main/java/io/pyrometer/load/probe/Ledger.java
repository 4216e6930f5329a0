package io.pyrometer.load.probe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** The last version acknowledged of every key, and how the calls ended. Safe for threads. */
final class Ledger {
  private static final int MOST_ERRORS = 5;
  private static final int VERSION_BITS = 32;

  private final AtomicIntegerArray acknowledged;
  private final AtomicLong latest = new AtomicLong();
  private final Set<String> errors = new LinkedHashSet<>();
  private long writes;
  private long failedCalls;
  private long lastAcknowledgement;
  private long worstStall;

  Ledger(int keys) {
    acknowledged = new AtomicIntegerArray(keys);
    mark();
  }

  int keys() {
    return acknowledged.length();
  }

  /** 0 where the key was never acknowledged. */
  int version(long key) {
    return acknowledged.get((int) key);
  }

  /** The key acknowledged last; meaningless before the first. */
  long latestKey() {
    return latest.get() >>> VERSION_BITS;
  }

  /** Changes with every acknowledgement. */
  long latest() {
    return latest.get();
  }

  void acknowledge(long[] keys, int[] versions) {
    for (int i = 0; i < keys.length; i++) {
      acknowledged.accumulateAndGet((int) keys[i], versions[i], Math::max);
    }
    int last = keys.length - 1;
    latest.set(keys[last] << VERSION_BITS | versions[last]);
    synchronized (this) {
      writes += keys.length;
      stall();
    }
  }

  synchronized void failed(Throwable cause) {
    failedCalls++;
    if (errors.size() < MOST_ERRORS) {
      String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      errors.add(cause.getClass().getSimpleName() + ": " + message);
    }
  }

  /** Stalls count from now on. */
  synchronized void mark() {
    lastAcknowledgement = System.nanoTime();
    worstStall = 0;
  }

  private void stall() {
    long now = System.nanoTime();
    worstStall = Math.max(worstStall, now - lastAcknowledgement);
    lastAcknowledgement = now;
  }

  synchronized long writes() {
    return writes;
  }

  synchronized long failedCalls() {
    return failedCalls;
  }

  synchronized List<String> errors() {
    return List.copyOf(errors);
  }

  synchronized double worstStallSeconds() {
    return worstStall / 1e9;
  }
}
