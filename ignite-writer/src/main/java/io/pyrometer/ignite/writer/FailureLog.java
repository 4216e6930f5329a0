package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The failures of writes, numbered in their order; the causes of the last thousand are kept. Each
 * thread has read them up to a number of its own, so that no thread's flush takes a failure from
 * another's. A thread has read those before its first write; one that has not written, none.
 */
final class FailureLog {
  private static final int KEPT = 1_000;

  private record Numbered(long number, Object key, PendingWrite.Failure failure) {}

  /** The number of the first failure that a thread has not read. */
  static final class Reader {
    private long next;
  }

  private final Codec codec;
  private final Deque<Numbered> last = new ArrayDeque<>();
  private volatile long count;

  @SuppressWarnings("ThreadLocalUsage") // of one writer
  private final ThreadLocal<Reader> readers = new ThreadLocal<>();

  FailureLog(Codec codec) {
    this.codec = codec;
  }

  synchronized void add(Object key, PendingWrite.Failure failure) {
    last.add(new Numbered(count, key, failure));
    count++;
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  /** The calling thread. */
  Reader reader() {
    if (readers.get() == null) {
      readers.set(new Reader());
    }
    return readers.get();
  }

  /** Notes that the calling thread writes. */
  void noteWriter() {
    if (readers.get() == null) {
      reader().next = count;
    }
  }

  /**
   * Reads the failures that a thread has not read yet.
   *
   * @throws WriteFailedException if there are any
   */
  synchronized void report(Reader reader) {
    long first = reader.next;
    reader.next = count;
    if (count <= first) {
      return;
    }
    Map<Object, Throwable> causes = new LinkedHashMap<>();
    boolean inDoubt = false;
    boolean retriable = true;
    for (Numbered failure : last) {
      if (failure.number >= first) {
        causes.put(codec.decodeKey(failure.key), failure.failure.cause());
        inDoubt |= failure.failure.inDoubt();
        retriable &= failure.failure.retriable();
      }
    }
    throw new WriteFailedException(causes, count - first, inDoubt, retriable);
  }
}
