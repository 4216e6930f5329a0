package io.pyrometer.ignite.writer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes that share one future: done when every one of them is, failed as the first that failed.
 */
final class GroupFuture {
  private final CompletableFuture<Void> done = new GuardedFuture<>();
  private final AtomicInteger open = new AtomicInteger(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Adds an entry to wait for. */
  void more() {
    open.incrementAndGet();
  }

  /** Notes that one of the entries is acknowledged, or has failed for a cause. */
  void less(@Nullable Throwable cause) {
    if (cause != null) {
      failure.compareAndSet(null, cause);
    }
    if (open.decrementAndGet() > 0) {
      return;
    }
    @Nullable Throwable first = failure.get();
    if (first == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(first);
    }
  }

  /** Says that no more entries follow. */
  CompletableFuture<Void> complete() {
    less(null);
    return done;
  }
}
