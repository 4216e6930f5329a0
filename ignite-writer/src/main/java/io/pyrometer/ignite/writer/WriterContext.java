package io.pyrometer.ignite.writer;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What all lanes of one writer work with. */
record WriterContext<K, V>(
    Settings<K, V> settings,
    CachePort<K, V> port,
    PendingBudget budget,
    Senders senders,
    TypeRegistry types,
    KeysInDoubt keysInDoubt,
    WriteCounters counters,
    Failures<K, V> failures,
    AtomicBoolean givenUp) {

  @SuppressWarnings("unchecked")
  long bytesOf(K key, @Nullable Object value) {
    Object plain = value instanceof Operation<?> operation ? operation.value().orElse(null) : value;
    return plain == null
        ? SizeEstimate.PER_ENTRY + SizeEstimate.of(key)
        : settings.sizeOf().applyAsLong(key, (V) plain) + SizeEstimate.PER_ENTRY;
  }

  /** Fails an entry; false if it was acknowledged or had failed before. */
  @SuppressWarnings("unchecked")
  boolean fail(Batch<K, V> batch, int slot, boolean inDoubt, Throwable cause) {
    if (batch.future(slot).isDone()) {
      return false;
    }
    K key = batch.key(slot);
    Object value = batch.content(slot);
    Throwable failure = WriteFailedException.of(key, cause);
    boolean first = batch.future(slot).fail(failure);
    if (first) {
      Optional<V> plain =
          value instanceof Operation<?> operation
              ? (Optional<V>) operation.value()
              : Optional.ofNullable((V) value);
      counters.entryFailed();
      failures.add(new FailedWrite<>(key, plain, inDoubt, cause));
      if (value instanceof Operation<?> operation) {
        operation.result().completeExceptionally(failure);
      }
    }
    return first;
  }
}
