package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.ignite.cache.CacheEntryProcessor;

/** The few things the writer asks of a cache. */
interface CachePort<K, V> {
  /** The cache's name, for messages. */
  String name();

  /** Writes the entries; the map must stay unchanged until the stage completes. */
  CompletionStage<?> putAll(Map<K, V> entries);

  /** Removes the keys; the set must stay unchanged until the stage completes. */
  CompletionStage<?> removeAll(Set<K> keys);

  /** Writes a value where the key has none; answers whether it did. */
  CompletionStage<Boolean> putIfAbsent(K key, V value);

  /** Runs a processor on the entry. */
  <R> CompletionStage<R> invoke(K key, CacheEntryProcessor<K, V, R> processor, Object... arguments);

  /** What a failed call says about its keys. */
  Fault read(Throwable error);

  /**
   * Whether calls lock their keys in the order of iteration, so that all writers must agree on it.
   */
  boolean locksInOrder();

  /** Makes the class of a key or value known to the cluster; may take any time. */
  void register(Object keyOrValue);

  /**
   * Finds out whether the cluster can be reached, by a call that changes nothing. Asked before a
   * write while {@link #isReachable} says no.
   */
  default CompletionStage<?> probe(K key) {
    return CompletableFuture.completedFuture(null);
  }

  /** False from a call that lost its connection until a {@link #probe} succeeded. */
  default boolean isReachable() {
    return true;
  }

  /** Gives back what this port alone holds. */
  default void close() {}
}
