package io.pyrometer.ignite.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The failures of writes since they were last drained; the causes of the last thousand are kept.
 */
final class FailureLog {
  private static final int KEPT = 1_000;

  private final Codec keys;
  private final Deque<Map.Entry<Object, PendingWrite.Failure>> last = new ArrayDeque<>();
  private long count;

  FailureLog(Codec keys) {
    this.keys = keys;
  }

  synchronized void add(PendingWrite failed) {
    last.add(Map.entry(failed.key.encoded, failed.requireFailure()));
    count++;
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  /** An exception for the failures since the last time, if there are any; may keep them. */
  synchronized Optional<WriteFailedException> drain(boolean keep) {
    if (count == 0) {
      return Optional.empty();
    }
    Map<Object, Throwable> causes = new LinkedHashMap<>();
    boolean inDoubt = false;
    boolean retriable = true;
    for (Map.Entry<Object, PendingWrite.Failure> failed : last) {
      PendingWrite.Failure failure = failed.getValue();
      causes.put(keys.decodeKey(failed.getKey()), failure.cause);
      inDoubt |= failure.inDoubt;
      retriable &= failure.retriable;
    }
    WriteFailedException all = new WriteFailedException(causes, count, inDoubt, retriable);
    if (!keep) {
      last.clear();
      count = 0;
    }
    return Optional.of(all);
  }
}
