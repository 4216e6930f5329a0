package io.pyrometer.ignite.writer;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys of writes whose outcome is unknown. Their later writes are not sent, because the write
 * in doubt might be applied after them. A key leaves when its call ends after all, when its owner
 * releases it, or when the time is over after which its owner excludes a late effect.
 *
 * <p>There are at most so many; beyond that, all keys are in doubt until the owner releases all.
 */
final class KeysInDoubt {
  private final Map<Object, Doubt> doubts = new ConcurrentHashMap<>();
  private final AtomicLong count = new AtomicLong();
  private final long most;
  private final long nanosInDoubt;
  private volatile boolean any;
  private volatile Optional<Throwable> overflow = Optional.empty();

  private record Doubt(Object call, Throwable cause, long since) {}

  KeysInDoubt(long most, long nanosInDoubt) {
    this.most = most;
    this.nanosInDoubt = nanosInDoubt;
  }

  /** Puts keys in doubt on behalf of a call. */
  void add(Object call, Collection<?> keys, Throwable cause) {
    Doubt doubt = new Doubt(call, cause, System.nanoTime());
    for (Object key : keys) {
      if (count.get() >= most && !doubts.containsKey(key)) {
        overflow = Optional.of(cause);
      } else if (doubts.put(key, doubt) == null) {
        count.incrementAndGet();
      }
    }
    any = true;
  }

  /** Whether any key is in doubt: false costs one read. */
  boolean any() {
    return any;
  }

  /** Why a key is in doubt, if it is. */
  Optional<Throwable> of(Object key) {
    Doubt doubt = doubts.get(key);
    if (doubt != null && System.nanoTime() - doubt.since >= nanosInDoubt) {
      remove(key, doubt);
      doubt = null;
    }
    return doubt == null ? overflow : Optional.of(doubt.cause);
  }

  private void remove(Object key, Doubt doubt) {
    if (doubts.remove(key, doubt)) {
      count.decrementAndGet();
    }
  }

  /** Releases the keys of a call that has ended: of those that no other call holds. */
  void ended(Object call, Collection<?> keys) {
    for (Object key : keys) {
      Doubt doubt = doubts.get(key);
      if (doubt != null && doubt.call == call) {
        remove(key, doubt);
      }
    }
  }

  void release(Object key) {
    Doubt doubt = doubts.get(key);
    if (doubt != null) {
      remove(key, doubt);
    }
  }

  void releaseAll() {
    overflow = Optional.empty();
    Set.copyOf(doubts.keySet()).forEach(this::release);
  }

  /** The keys by name; where there were too many of them, those that were first. */
  Set<Object> keys() {
    return Set.copyOf(doubts.keySet());
  }

  long size() {
    return count.get();
  }
}
