package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The few things the writer asks of a cache. Both writes are repeatable with the same outcome. */
interface CachePort<K, V> {
  /** Writes the entries; the map must stay unchanged until the stage completes. */
  CompletionStage<?> putAll(Map<K, V> entries);

  /** Removes the keys; the set must stay unchanged until the stage completes. */
  CompletionStage<?> removeAll(Set<K> keys);

  /** What a failed call says about its keys. */
  Fault read(Throwable error);

  /**
   * Whether calls lock their keys in the order of iteration, so that all writers must agree on it.
   */
  boolean locksInOrder();
}
