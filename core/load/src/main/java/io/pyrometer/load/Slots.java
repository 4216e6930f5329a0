package io.pyrometer.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
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

  /**
   * The one call of a loop that has one in flight: without a fence where its own thread ends it.
   */
  private static final class SoloSlot extends Slots {

    private final Slot slot;
    private final AtomicBoolean busy = new AtomicBoolean();

    SoloSlot(LoadLoop loop, int capacity) {
      this.slot = new Slot(loop, capacity);
    }

    @Override
    @Nullable Slot poll() {
      if (busy.getAcquire()) {
        return null;
      }
      busy.setPlain(true);
      return slot;
    }

    @Override
    void giveBack(Slot given) {
      if (isOwner(Thread.currentThread())) {
        busy.setPlain(false);
      } else {
        busy.set(false);
        wake();
      }
    }

    @Override
    int inFlight() {
      return busy.get() ? 1 : 0;
    }
  }

  /** The calls of a loop that may have several in flight. */
  private static final class SlotPool extends Slots {

    private final MpscAtomicArrayQueue<Slot> free;
    private final AtomicInteger inFlight = new AtomicInteger();

    SlotPool(LoadLoop loop, int window, int capacity) {
      this.free = new MpscAtomicArrayQueue<>(Math.max(2, window));
      for (int i = 0; i < window; i++) {
        free.offer(new Slot(loop, capacity));
      }
    }

    @Override
    @Nullable Slot poll() {
      Slot slot = free.poll();
      if (slot != null) {
        inFlight.incrementAndGet();
      }
      return slot;
    }

    @Override
    void giveBack(Slot slot) {
      free.offer(slot);
      inFlight.decrementAndGet();
      wake();
    }

    @Override
    int inFlight() {
      return inFlight.get();
    }
  }
}
