package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds for each event of a cache the write that caused it. A write is done once every listener was
 * told of it; it fails where a listener was not told in time. An event for which no write is left
 * came twice. Events of keys that were never written here belong to others.
 */
final class EventMatcher {
  private final int listeners;
  private final long patienceNanos;
  private final Map<Long, Deque<Write>> writes = new ConcurrentHashMap<>();
  private final Queue<Write> begun = new ConcurrentLinkedQueue<>();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong doubled = new AtomicLong();

  /**
   * @param listeners that are told of each write, from 0
   * @param patienceNanos after which a write whose event did not come fails
   */
  EventMatcher(int listeners, long patienceNanos) {
    this.listeners = listeners;
    this.patienceNanos = patienceNanos;
  }

  /** A write whose events are awaited. */
  static final class Write {
    private final Call call;
    private final long key;
    private final Object value;
    private final long deadline;
    private final BitSet told = new BitSet();
    private boolean ended;

    private Write(Call call, Object value, long deadline) {
      this.call = call;
      this.key = call.key(0);
      this.value = value;
      this.deadline = deadline;
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

  /** Told before the write is handed to the cache, in the order of the writes to a key. */
  Write begin(Call call, Object value, long now) {
    Write write = new Write(call, value, now + patienceNanos);
    Deque<Write> ofKey = writes.computeIfAbsent(write.key, key -> new ArrayDeque<>(2));
    synchronized (ofKey) {
      ofKey.add(write);
    }
    begun.add(write);
    return write;
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
    Optional<Write> complete;
    synchronized (ofKey) {
      Write write = awaiting(ofKey, listener, value);
      if (write == null) {
        doubled.incrementAndGet();
        return;
      }
      write.told.set(listener);
      if (write.told.cardinality() < listeners) {
        return;
      }
      ofKey.remove(write);
      complete = Optional.of(write).filter(each -> !each.ended);
      write.ended = true;
    }
    complete.ifPresent(write -> write.call.done());
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

  /** The write failed; it may have been carried out, so that its events may come all the same. */
  void failed(Write write, Throwable cause) {
    if (end(write)) {
      write.call.failed(cause);
    }
  }

  /**
   * Fails the writes whose events did not come in time; called again and again. An event that comes
   * later still counts as that of its write.
   */
  void expire(long now) {
    List<Write> late = new ArrayList<>();
    for (Write write = begun.peek();
        write != null && (hasEnded(write) || write.deadline - now < 0);
        write = begun.peek()) {
      begun.remove();
      if (end(write)) {
        late.add(write);
      }
    }
    for (Write write : late) {
      lost.incrementAndGet();
      write.call.failed(
          new IllegalStateException(
              "No event of an acknowledged write came within %.3g s."
                  .formatted(patienceNanos / 1e9)));
    }
  }

  private boolean hasEnded(Write write) {
    synchronized (ofKey(write)) {
      return write.ended;
    }
  }

  private boolean end(Write write) {
    synchronized (ofKey(write)) {
      boolean first = !write.ended;
      write.ended = true;
      return first;
    }
  }

  private Deque<Write> ofKey(Write write) {
    return writes.computeIfAbsent(write.key, key -> new ArrayDeque<>(2));
  }
}
