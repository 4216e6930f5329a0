package io.pyrometer.ignite.writer;

import java.lang.System.Logger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The failures that no flush has reported yet, the first thousand by key; tells a listener. */
final class Failures<K, V> {
  private static final int KEPT = 1_000;
  private static final Logger LOG = System.getLogger(IgniteWriter.class.getName());

  private final Consumer<? super FailedWrite<K, V>> listener;
  private Map<Object, Throwable> causes = new LinkedHashMap<>();
  private long count;

  Failures(Consumer<? super FailedWrite<K, V>> listener) {
    this.listener = listener;
  }

  void add(FailedWrite<K, V> failure) {
    try {
      synchronized (this) {
        count++;
        if (causes.size() < KEPT) {
          causes.put(failure.key(), failure.cause());
        }
      }
      listener.accept(failure);
    } catch (Throwable e) { // an Error too: nobody else would complete the write's future
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
