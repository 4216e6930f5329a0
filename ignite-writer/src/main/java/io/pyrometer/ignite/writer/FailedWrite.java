package io.pyrometer.ignite.writer;

import java.util.Optional;

/**
 * A write that failed for good, for a log or a dead-letter store.
 *
 * @param key its key
 * @param value the value that should have been written, of merged writes the last one; empty for a
 *     removal and for an {@code invoke}
 * @param inDoubt whether the write may have been applied, or still be applied, nevertheless
 * @param cause why it failed
 */
public record FailedWrite<K, V>(K key, Optional<V> value, boolean inDoubt, Throwable cause) {}
