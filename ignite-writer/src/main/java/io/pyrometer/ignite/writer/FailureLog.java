package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The failures of writes, numbered in their order; the causes of the last thousand are kept. Each
 * thread has read them up to a number of its own, so that no thread's flush takes a failure from
 * another's. A thread has read those before its first write; one that has not written, none.
 */
final class FailureLog {
  private static final int KEPT = 1_000;

  private record Failed(Object key, PendingWrite.Failure failure) {}

  private final Codec codec;
  private final Deque<Failed> last = new ArrayDeque<>();
  private volatile long count;

  @SuppressWarnings("ThreadLocalUsage") // of one writer: what a thread has read
  private final ThreadLocal<AtomicLong> readers = new ThreadLocal<>();

  FailureLog(Codec codec) {
    this.codec = codec;
  }

  synchronized void add(Object key, PendingWrite.Failure failure) {
    last.add(new Failed(key, failure));
    count++;
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  /** What the calling thread has read: what was before its first write, or nothing. */
  AtomicLong reader(boolean writes) {
    if (readers.get() == null) {
      readers.set(new AtomicLong(writes ? count : 0));
    }
    return readers.get();
  }

  /** Throws for the failures that a thread has not read yet, if there are any. */
  synchronized void report(AtomicLong reader) {
    long first = reader.getAndSet(count);
    if (count <= first) {
      return;
    }
    Map<Object, Throwable> causes = new LinkedHashMap<>();
    boolean inDoubt = false;
    boolean retriable = true;
    for (Failed unread : last.stream().skip(Math.max(0, last.size() - (count - first))).toList()) {
      causes.put(codec.decodeKey(unread.key), unread.failure.cause());
      inDoubt |= unread.failure.inDoubt();
      retriable &= unread.failure.retriable();
    }
    throw new WriteFailedException(causes, count - first, inDoubt, retriable);
  }
}
