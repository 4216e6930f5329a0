package io.pyrometer.ignite.writer;

import java.util.concurrent.atomic.AtomicBoolean;

/** What all lanes of one writer work with. */
record Workshop<K, V>(
    Settings<K, V> settings,
    CachePort<K, V> port,
    Room room,
    Senders senders,
    Tally tally,
    Failures failures,
    AtomicBoolean givenUp) {

  boolean mayRetry(int attempt) {
    return settings.retries().allows(attempt) && !givenUp.get();
  }

  long bytesOf(K key, V value) {
    return settings.sizeOf().applyAsLong(key, value) + SizeEstimate.PER_ENTRY;
  }

  /** Fails an entry that is not acknowledged yet. */
  void fail(Batch<K, V> batch, int slot, Throwable cause) {
    if (batch.ack(slot).isDone()) {
      return;
    }
    K key = batch.key(slot);
    tally.entryFailed();
    failures.add(key, cause);
    batch.ack(slot).fail(WriteFailedException.of(key, cause));
  }
}
