package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The failures that no flush has reported yet, the first thousand by key; tells a listener. */
final class Failures {
  private static final int KEPT = 1_000;
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final BiConsumer<Object, Throwable> listener;
  private Map<Object, Throwable> causes = new LinkedHashMap<>();
  private long count;

  Failures(BiConsumer<Object, Throwable> listener) {
    this.listener = listener;
  }

  void add(Object key, Throwable cause) {
    synchronized (this) {
      count++;
      if (causes.size() < KEPT) {
        causes.put(key, cause);
      }
    }
    tell(key, cause);
  }

  private void tell(Object key, Throwable cause) {
    try {
      listener.accept(key, cause);
    } catch (RuntimeException e) {
      LOG.log(Logger.Level.WARNING, "the listener for failed writes threw an exception", e);
    }
  }

  /** Takes what is here, leaving nothing. */
  synchronized Optional<WriteFailedException> take() {
    if (count == 0) {
      return Optional.empty();
    }
    WriteFailedException all = WriteFailedException.of(causes, count);
    causes = new LinkedHashMap<>();
    count = 0;
    return Optional.of(all);
  }
}
