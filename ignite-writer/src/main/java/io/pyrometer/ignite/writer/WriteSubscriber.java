package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a publisher publishes, in its order. It asks for so many entries at a time that at
 * most a window of them is unacknowledged, and never blocks the publisher: what the writer has no
 * room for waits here.
 *
 * <p>A write that fails does not end the subscription; {@link #completion()} fails with the first
 * one when the rest is done.
 */
public final class WriteSubscriber<K, V> implements Flow.Subscriber<Map.Entry<K, V>> {
  private static final long RETRY_NANOS = 1_000_000;

  private final Pipeline<K, V> pipeline;
  private final int window;
  private final CompletableFuture<Void> completion = new GuardedFuture<>();
  private final Queue<Map.Entry<K, V>> held = new ArrayDeque<>();
  private Flow.@Nullable Subscription subscription;
  private @Nullable Throwable failure;
  private int open;
  private boolean draining;
  private boolean retrying;
  private boolean ended;

  WriteSubscriber(Pipeline<K, V> pipeline, int window) {
    if (window < 1) {
      throw new IllegalArgumentException("the window must be at least 1, not " + window);
    }
    this.pipeline = pipeline;
    this.window = window;
  }

  /**
   * Completes when the publisher has ended and every entry is acknowledged or has failed: with the
   * publisher's error, or the first failed write's, if there was one.
   */
  public CompletableFuture<Void> completion() {
    return completion.copy();
  }

  @Override
  public void onSubscribe(Flow.Subscription offered) {
    Objects.requireNonNull(offered, "subscription");
    synchronized (this) {
      if (subscription != null) {
        offered.cancel();
        return;
      }
      subscription = offered;
    }
    offered.request(window);
  }

  @Override
  public void onNext(Map.Entry<K, V> entry) {
    Objects.requireNonNull(entry, "entry");
    Objects.requireNonNull(entry.getKey(), "key");
    Objects.requireNonNull(entry.getValue(), "value");
    synchronized (this) {
      open++;
      held.add(entry);
    }
    drain();
  }

  @Override
  public void onError(Throwable error) {
    Objects.requireNonNull(error, "error");
    synchronized (this) {
      ended = true;
      failure = failure == null ? error : failure;
    }
    completeIfDone();
  }

  @Override
  public void onComplete() {
    synchronized (this) {
      ended = true;
    }
    completeIfDone();
  }

  /** Hands on what is held, one thread at a time, so that its order is kept. */
  private void drain() {
    synchronized (this) {
      if (draining) {
        return;
      }
      draining = true;
    }
    while (true) {
      Map.Entry<K, V> next;
      synchronized (this) {
        if (held.isEmpty()) {
          draining = false;
          return;
        }
        next = held.element();
      }
      if (!handOn(next)) {
        return;
      }
    }
  }

  /** Writes the first of those held; false if it has to wait, and somebody will try again. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private boolean handOn(Map.Entry<K, V> next) {
    try {
      Optional<CompletableFuture<Void>> taken = pipeline.tryOffer(next.getKey(), next.getValue());
      if (taken.isEmpty()) {
        retryLater();
        return false;
      }
      synchronized (this) {
        held.remove();
      }
      taken.get().whenComplete((done, error) -> written(error));
    } catch (RuntimeException e) { // a key that is refused, a writer that is closed
      synchronized (this) {
        held.remove();
      }
      written(e);
    }
    return true;
  }

  private void retryLater() {
    boolean schedule;
    synchronized (this) {
      draining = false;
      schedule = !retrying;
      retrying = true;
    }
    if (schedule) {
      pipeline
          .context()
          .senders()
          .after(
              RETRY_NANOS,
              () -> {
                synchronized (this) {
                  retrying = false;
                }
                drain();
              });
    }
  }

  private void written(@Nullable Throwable error) {
    Flow.@Nullable Subscription from;
    synchronized (this) {
      open--;
      failure = failure == null ? error : failure;
      from = ended ? null : subscription;
    }
    if (from != null) {
      from.request(1);
    }
    completeIfDone();
  }

  private void completeIfDone() {
    @Nullable Throwable first;
    synchronized (this) {
      if (!ended || open > 0) {
        return;
      }
      first = failure;
    }
    if (first == null) {
      completion.complete(null);
    } else {
      completion.completeExceptionally(first);
    }
  }
}
