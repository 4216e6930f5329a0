package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The failures of writes, numbered in their order; the causes of the last thousand are kept. Each
 * thread has read them up to a number of its own, so that no thread's flush takes a failure from
 * another's.
 */
final class FailureLog {
  private static final int KEPT = 1_000;

  private record Numbered(long number, Object key, PendingWrite.Failure failure) {}

  /** A thread that writes or flushes, and the number of the first failure that it has not read. */
  static final class Reader {
    private long next;
  }

  private final Codec codec;
  private final Deque<Numbered> last = new ArrayDeque<>();
  private long count;

  @SuppressWarnings("ThreadLocalUsage") // of one writer
  private final ThreadLocal<@Nullable Reader> readers = new ThreadLocal<>();

  FailureLog(Codec codec) {
    this.codec = codec;
  }

  synchronized void add(Object key, PendingWrite.Failure failure) {
    last.add(new Numbered(count++, key, failure));
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  /** The calling thread, which has read no failure if it has not written before. */
  Reader reader() {
    @Nullable Reader reader = readers.get();
    if (reader == null) {
      reader = new Reader();
      readers.set(reader);
    }
    return reader;
  }

  /** Notes that the calling thread writes: it has read the failures before its first write. */
  void noteWriter() {
    if (readers.get() == null) {
      Reader reader = reader();
      synchronized (this) {
        reader.next = count;
      }
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
    boolean retriable = true;
    for (Numbered failure : last) {
      if (failure.number >= first) {
        causes.put(codec.decodeKey(failure.key), failure.failure.cause());
        retriable &= failure.failure.retriable();
      }
    }
    throw WriteFailedException.of(causes, count - first, retriable);
  }
}
