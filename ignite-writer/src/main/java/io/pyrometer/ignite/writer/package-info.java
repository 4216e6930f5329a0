/**
 * Writes to an Apache Ignite 2 cache as fast as can be done while the order of writes per key is
 * kept.
 *
 * <p>The way of a write: {@link IgniteWriter} → {@code Encoder} → its {@code Shard}, where later
 * writes of the same key replace it while it waits → the {@code Lane} of its partition's primary
 * node → {@code BatchSender} → {@code CachePort} → {@code Completions}. A shard has at most one
 * write of a key under way, so that two are never in flight together.
 */
@NullMarked
package io.pyrometer.ignite.writer;

import org.jspecify.annotations.NullMarked;
