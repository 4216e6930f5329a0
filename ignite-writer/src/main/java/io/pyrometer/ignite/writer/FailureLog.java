package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The failures of writes, numbered in their order; the causes of the last thousand are kept. Each
 * caller has read them up to a number of its own, so that no caller's flush takes a failure from
 * another's.
 */
final class FailureLog {
  private static final int KEPT = 1_000;

  private record Numbered(long number, Object key, PendingWrite.Failure failure) {}

  private final Codec codec;
  private final Deque<Numbered> last = new ArrayDeque<>();
  private long count;

  FailureLog(Codec codec) {
    this.codec = codec;
  }

  synchronized void add(Object key, PendingWrite.Failure failure) {
    last.add(new Numbered(count++, key, failure));
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  synchronized long count() {
    return count;
  }

  /** The failures from a number on, if there are any. */
  synchronized Optional<WriteFailedException> since(long number) {
    if (count <= number) {
      return Optional.empty();
    }
    Map<Object, Throwable> causes = new LinkedHashMap<>();
    boolean retriable = true;
    for (Numbered failure : last) {
      if (failure.number >= number) {
        causes.put(codec.decodeKey(failure.key), failure.failure.cause());
        retriable &= failure.failure.retriable();
      }
    }
    return Optional.of(WriteFailedException.of(causes, count - number, retriable));
  }
}
