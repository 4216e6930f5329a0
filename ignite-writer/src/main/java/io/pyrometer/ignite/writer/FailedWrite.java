package io.pyrometer.ignite.writer;

import java.util.Optional;

/**
 * A failed write, for a log or a dead-letter store.
 *
 * @param key its key
 * @param value the value that was not written, of merged writes the last one; empty for a removal,
 *     or if the value could not be decoded
 * @param inDoubt whether the write may have been applied, or still be applied, nevertheless
 * @param retriable whether the same write may succeed later
 * @param cause why it failed
 */
public record FailedWrite<K, V>(
    K key, Optional<V> value, boolean inDoubt, boolean retriable, Throwable cause) {}
