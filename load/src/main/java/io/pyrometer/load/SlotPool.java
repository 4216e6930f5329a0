package io.pyrometer.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * The calls that a lane is not using: taken by the lane's thread, given back by any. Without locks.
 */
final class SlotPool {

  private final MpscAtomicArrayQueue<Slot> free;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final int window;
  private volatile boolean waiting;
  private volatile Thread owner = Thread.currentThread();

  SlotPool(LaneRunner lane, int window, int capacity) {
    this.window = window;
    this.free = new MpscAtomicArrayQueue<>(Math.max(2, window));
    for (int i = 0; i < window; i++) {
      free.offer(new Slot(lane, capacity));
    }
  }

  /** Names the thread that takes. */
  void ownedBy(Thread thread) {
    owner = thread;
  }

  /** A free call, waiting for one if need be; null when interrupted. */
  @org.jspecify.annotations.Nullable
  Slot take() {
    Slot slot = free.poll();
    while (slot == null) {
      waiting = true;
      slot = free.poll();
      if (slot == null) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        slot = free.poll();
      }
      waiting = false;
      if (slot == null && Thread.currentThread().isInterrupted()) {
        return null;
      }
    }
    inFlight.incrementAndGet();
    return slot;
  }

  void giveBack(Slot slot) {
    free.offer(slot);
    inFlight.decrementAndGet();
    if (waiting) {
      LockSupport.unpark(owner);
    }
  }

  int inFlight() {
    return inFlight.get();
  }

  int window() {
    return window;
  }
}
