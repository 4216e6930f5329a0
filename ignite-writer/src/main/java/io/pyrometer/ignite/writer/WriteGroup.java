package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Waits for the end of writes, such as all between two flushes, from when it is closed. */
final class WriteGroup {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final AtomicLong open = new AtomicLong(1);

  /** Adds a write to wait for; false if the group is done. */
  boolean add() {
    return open.getAndUpdate(writes -> writes == 0 ? 0 : writes + 1) > 0;
  }

  /** Notes that writes have ended. */
  void end(long writes) {
    if (open.addAndGet(-writes) == 0) {
      done.complete(null);
    }
  }

  /** Completes when the writes that were added have ended; none is added after that. */
  CompletableFuture<Void> close() {
    end(1);
    return done;
  }
}
