package io.pyrometer.load;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The one call of a loop that has one in flight: without a fence where its own thread ends it. */
final class SoloSlot extends Slots {

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
