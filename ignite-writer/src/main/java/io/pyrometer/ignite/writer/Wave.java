package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Writes that a flush waits for together: those of one lane between two flushes. */
final class Wave {
  final CompletableFuture<Void> done = new GuardedFuture<>();
  private final AtomicLong open = new AtomicLong(1);

  /** Adds a write; under the lane's lock, before the wave is closed. */
  void add() {
    open.incrementAndGet();
  }

  /** Notes that writes are acknowledged or have failed, and that their futures are complete. */
  void settled(long writes) {
    if (open.addAndGet(-writes) == 0) {
      done.complete(null);
    }
  }

  boolean isEmpty() {
    return open.get() == 1;
  }

  /** No write follows. */
  CompletableFuture<Void> close() {
    settled(1);
    return done;
  }
}
