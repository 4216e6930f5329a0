package io.pyrometer.load;

import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/** The calls of a loop that may have several in flight. */
final class SlotPool extends Slots {

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
