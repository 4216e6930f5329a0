package io.pyrometer.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a loop is not using: taken by the loop's thread, given back by any. Without locks.
 */
abstract class Slots {

  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(10);

  private volatile boolean waiting;
  private volatile Thread owner = Thread.currentThread();

  static Slots of(LoadLoop loop, int window, int capacity) {
    return window == 1 ? new SoloSlot(loop, capacity) : new SlotPool(loop, window, capacity);
  }

  /** Names the thread that takes. */
  final void ownedBy(Thread thread) {
    owner = thread;
  }

  final boolean isOwner(Thread thread) {
    return owner == thread;
  }

  /** A free call, or null where all are in flight. */
  abstract @Nullable Slot poll();

  abstract void giveBack(Slot slot);

  abstract int inFlight();

  /** A free call, waiting for one if need be; null when interrupted. */
  final @Nullable Slot take() {
    Slot slot = poll();
    return slot != null ? slot : await();
  }

  private @Nullable Slot await() {
    waiting = true;
    try {
      for (Slot slot = poll(); ; slot = poll()) {
        if (slot != null || Thread.currentThread().isInterrupted()) {
          return slot;
        }
        LockSupport.parkNanos(NAP);
      }
    } finally {
      waiting = false;
    }
  }

  /** Must be called after a call was returned and is visible to other threads. */
  final void wake() {
    if (waiting) {
      LockSupport.unpark(owner);
    }
  }
}
