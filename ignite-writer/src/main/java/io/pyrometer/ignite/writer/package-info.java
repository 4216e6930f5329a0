/**
 * Writes to an Apache Ignite 2 cache as fast as can be done while the order of writes per key is
 * kept.
 *
 * <p>The way of a write: {@link IgniteWriter} → {@code Pipeline} → the {@code Lane} of its
 * partition, where it waits in a {@code PendingWrites} and later writes of the same key replace it
 * → {@code BatchSend} → {@code CachePort}. A key is in one lane at a time and a lane has one batch
 * in flight, so that two writes of one key are never under way together.
 */
@NullMarked
package io.pyrometer.ignite.writer;

import org.jspecify.annotations.NullMarked;
