package io.pyrometer.load.probe;

import io.pyrometer.load.FailureCauses;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last version acknowledged of every key, the last one that a call was made with, and how the
 * calls ended. Safe for threads.
 */
final class WrittenVersions {
  private static final int VERSION_BITS = 32;

  private final AtomicIntegerArray acknowledged;
  private final AtomicIntegerArray begun;
  private final AtomicLong latest = new AtomicLong();
  private final FailureCauses causes = new FailureCauses();
  private volatile long tried;
  private long writes;
  private long failedCalls;
  private long lastAcknowledgement;
  private long worstStall;
  private boolean stallUnended;
  private boolean ended;

  WrittenVersions(int keys) {
    acknowledged = new AtomicIntegerArray(keys);
    begun = new AtomicIntegerArray(keys);
    mark();
  }

  int keys() {
    return acknowledged.length();
  }

  /** 0 where the key was never acknowledged. */
  int acknowledged(long key) {
    return acknowledged.get((int) key);
  }

  /**
   * The version to write of a key.
   *
   * @param again whether a key that was written before gets another version
   */
  int begin(long key, boolean again) {
    return again ? begun.incrementAndGet((int) key) : begun.updateAndGet((int) key, old -> 1);
  }

  /** The last version that may be stored, acknowledged or not. */
  int begun(long key) {
    return begun.get((int) key);
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
    long first = 0;
    for (int i = 0; i < keys.length; i++) {
      first += acknowledged.getAndAccumulate((int) keys[i], versions[i], Math::max) == 0 ? 1 : 0;
    }
    int last = keys.length - 1;
    latest.set(keys[last] << VERSION_BITS | versions[last]);
    synchronized (this) {
      tried += first;
      writes += keys.length;
      stall();
    }
  }

  synchronized void failed(Throwable cause) {
    failedCalls++;
    causes.add(cause);
  }

  /** Stalls count from now on. */
  synchronized void mark() {
    lastAcknowledgement = System.nanoTime();
    worstStall = 0;
  }

  private void stall() {
    if (ended) {
      return;
    }
    long now = System.nanoTime();
    worstStall = Math.max(worstStall, now - lastAcknowledgement);
    lastAcknowledgement = now;
  }

  /** The writing ends: if nothing was acknowledged lately, that is a stall as well. */
  synchronized void end() {
    long worstThatEnded = worstStall;
    stall();
    stallUnended = worstStall > worstThatEnded;
    ended = true;
  }

  /** Keys that were acknowledged at least once. */
  long tried() {
    return tried;
  }

  /**
   * How the writing went, with what was found of it. If the worst stall is that at the end of the
   * writing, it may have been longer.
   */
  synchronized ProbeCounts counts(long checked, long stale, long lost) {
    return new ProbeCounts(
        writes,
        checked,
        stale,
        lost,
        failedCalls,
        List.copyOf(causes.sentences()),
        worstStall / 1e9,
        stallUnended);
  }
}
