package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.load.Call;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds for each event of a cache the write that caused it. A write is done once every listener was
 * told of it; it fails where a listener was not told in time. An event for which no write is left
 * came twice. Events of keys that were never written here belong to others.
 */
final class EventMatcher {
  private final int listeners;
  private final Duration timeout;
  private final Map<Long, Deque<Write>> writes = new ConcurrentHashMap<>();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong doubled = new AtomicLong();

  /**
   * @param listeners that are told of each write, from 0
   * @param timeout after which a write whose event did not come fails
   */
  EventMatcher(int listeners, Duration timeout) {
    this.listeners = listeners;
    this.timeout = timeout;
  }

  /** A write whose events are awaited. */
  record Write(Object value, BitSet told, CompletableFuture<Void> end) {

    /** It failed; it may have been carried out, so that its events may come all the same. */
    void failed(Throwable cause) {
      boolean unused = end.completeExceptionally(cause);
    }
  }

  /** Writes of which some listener was not told in time. */
  long lost() {
    return lost.get();
  }

  /** Events that came once more than there were writes. */
  long doubled() {
    return doubled.get();
  }

  /**
   * Begins to await the events of a write; called before the write is handed to the cache, in the
   * order of the writes to a key. An event after the timeout still counts as that of its write.
   */
  Write begin(Call call, Object value) {
    Write write = new Write(value, new BitSet(), new CompletableFuture<>());
    Deque<Write> ofKey = writes.computeIfAbsent(call.key(0), key -> new ArrayDeque<>(2));
    synchronized (ofKey) {
      ofKey.add(write);
    }
    var unused =
        write
            .end
            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((none, failure) -> end(call, failure));
    return write;
  }

  private void end(Call call, @Nullable Throwable failure) {
    if (failure instanceof TimeoutException) {
      lost.incrementAndGet();
      call.failed(
          new IllegalStateException(
              "No event of a write came within %d s.".formatted(timeout.toSeconds())));
    } else {
      FunctionPath.end(call, failure);
    }
  }

  /**
   * A listener is told of a write.
   *
   * @param value as it was written; null where events do not carry it
   */
  void event(int listener, long key, @Nullable Object value) {
    Deque<Write> ofKey = writes.get(key);
    if (ofKey == null) {
      return;
    }
    Write write;
    synchronized (ofKey) {
      write = awaiting(ofKey, listener, value);
      if (write == null) {
        doubled.incrementAndGet();
        return;
      }
      write.told.set(listener);
      if (write.told.cardinality() < listeners) {
        return;
      }
      ofKey.remove(write);
    }
    write.end.complete(null);
  }

  private static @Nullable Write awaiting(
      Deque<Write> ofKey, int listener, @Nullable Object value) {
    for (Write write : ofKey) {
      if (!write.told.get(listener) && (value == null || value.equals(write.value))) {
        return write;
      }
    }
    return null;
  }
}
