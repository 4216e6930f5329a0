package io.pyrometer.ignite.writer;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.jspecify.annotations.Nullable;

/** The few things that the writer needs of a cache. All calls block until they are answered. */
interface CachePort {
  /** The cache's name, for messages. */
  String name();

  CacheWriteSynchronizationMode synchronization();

  /** Whether the client repeats writes by itself; empty if that cannot be found out. */
  Optional<Boolean> clientRepeatsWrites();

  /**
   * The partition of an encoded key: always the same for a key. Whether it is the cache's own costs
   * or gains speed, and never order.
   */
  int partition(Object key);

  /**
   * Who holds each partition, as the cluster is now; equal placements mean that nothing moved.
   * Called from time to time, off the path of writes; may block. Also looks whether the cache is
   * still the one that was opened, see {@link #refusal}.
   */
  Placement placement();

  /** Puts encoded entries, or removes their keys. */
  void send(BatchMap batch);

  /** Reads values, as binary objects where they are. */
  Map<Object, Object> getAll(Set<Object> keys);

  /** What a failed call means for its keys. */
  Fault read(Throwable error);

  /** Turns an object into its binary form; may wait for the cluster. */
  Object toBinary(Object object);

  /** Whether calls lock their keys in the order of iteration, so that all writers must agree. */
  boolean locksInOrder();

  /** A mark of the cluster before a call, for {@link #mustRepeat}. */
  default long mark() {
    return 0;
  }

  /** Whether a call that succeeded must be made again, because a server left during it. */
  default boolean mustRepeat(long mark) {
    return false;
  }

  /** Whether a node, as {@link Placement} names it, has left the cluster for good. */
  default boolean hasLeft(Object node) {
    return false;
  }

  /** A node's name, for the log. */
  default String nameOf(Object node) {
    return String.valueOf(node);
  }

  /** Whether a server that is stopping may refuse a call as a whole, as if for its keys. */
  default boolean mayRefuseWhole() {
    return false;
  }

  /** Why the writer cannot keep its guarantees in the cache any more, if so. */
  default @Nullable IllegalStateException refusal() {
    return null;
  }
}
