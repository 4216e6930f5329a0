package io.pyrometer.ignite.writer;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;

/** The few things that the writer needs of a cache. All calls block until they are answered. */
interface CachePort {
  /** The cache's name, for messages. */
  String name();

  /**
   * The partition of an encoded key: always the same for a key. Whether it is the cache's own costs
   * or gains speed, and never order.
   */
  int partition(Object key);

  /**
   * The primary node of each partition, as the cluster is now; any value with equals names a node.
   * Called from time to time, off the path of writes; may block. Also looks whether the cache is
   * still the one that was opened: if not, no call succeeds any more.
   */
  List<?> primaries();

  /** Puts encoded entries, or removes their keys; fails if that is not certain. */
  void send(BatchMap batch);

  /** Reads values, as binary objects where they are. */
  Map<Object, Object> getAll(Set<Object> keys);

  /** Classification of a failed call. */
  Fault read(Throwable error);

  /** Turns an object into its binary form; may wait for the cluster. */
  Object toBinary(Object object);

  /**
   * Returns whether calls lock their keys in the order of iteration, so that all writers must
   * agree.
   */
  boolean locksInOrder();

  /** Returns whether a node, as {@link #primaries} names it, has left the cluster for good. */
  default boolean hasLeft(Object node) {
    return false;
  }

  /** Refuses a cache in which Ignite does not keep the order of calls. */
  static void requireOrder(String cache, CacheWriteSynchronizationMode mode) {
    if (mode == CacheWriteSynchronizationMode.FULL_ASYNC) {
      throw new IllegalStateException(
          "cache "
              + cache
              + " has write synchronization FULL_ASYNC, in which Ignite applies the writes of a key"
              + " in any order and acknowledges them before that; use PRIMARY_SYNC or FULL_SYNC");
    }
  }

  /** Refuses calls to a cache in the place of the one that was opened. */
  static Fault.FoundException createdAgain(String cache) {
    return new Fault.FoundException(
        Fault.Kind.FINAL,
        new IllegalStateException(
            "cache "
                + cache
                + " was destroyed and created again with another write synchronization, atomicity"
                + " or number of partitions; open a new writer"));
  }
}
