package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes that share one future: those of a {@code writeAll}, or all between two flushes. It is done
 * when the group is closed and every write of it has ended, and fails as the first that failed.
 */
final class WriteGroup {
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final AtomicLong open = new AtomicLong(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Adds a write to wait for; false if the group is done. */
  boolean add() {
    return open.getAndUpdate(writes -> writes == 0 ? 0 : writes + 1) > 0;
  }

  /** Notes that writes are acknowledged, or have failed for a cause. */
  void end(long writes, @Nullable Throwable cause) {
    if (cause != null) {
      failure.compareAndSet(null, cause);
    }
    if (open.addAndGet(-writes) > 0) {
      return;
    }
    @Nullable Throwable first = failure.get();
    if (first == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(first);
    }
  }

  /** Waits for the writes that were added, and no others. */
  CompletableFuture<Void> close() {
    end(1, null);
    return done;
  }
}
