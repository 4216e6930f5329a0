package io.pyrometer.ignite.writer;

import java.util.Optional;

/** A failed write, for a log or a dead-letter store. */
public final class FailedWrite<K, V> {
  private final K key;
  private final Optional<V> value;
  private final PendingWrite.Failure failure;

  FailedWrite(K key, Optional<V> value, PendingWrite.Failure failure) {
    this.key = key;
    this.value = value;
    this.failure = failure;
  }

  /** The key. */
  public K key() {
    return key;
  }

  /**
   * The value that was not written, of merged writes the last one; empty for a removal, or if the
   * value could not be decoded.
   */
  public Optional<V> value() {
    return value;
  }

  /** Returns whether the write may have been applied, or still be applied, nevertheless. */
  public boolean inDoubt() {
    return failure.inDoubt;
  }

  /** Returns whether the same write may succeed later. */
  public boolean retriable() {
    return failure.retriable;
  }

  /** Why the write failed. */
  public Throwable cause() {
    return failure.cause;
  }
}
