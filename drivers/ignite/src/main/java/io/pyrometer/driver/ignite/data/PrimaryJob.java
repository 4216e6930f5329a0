package io.pyrometer.driver.ignite.data;

import java.util.Objects;
import java.util.function.BiConsumer;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/**
 * A job for server nodes, over the entries whose primary copy the node holds.
 *
 * @param <R> what a node answers
 */
abstract class PrimaryJob<R> implements IgniteCallable<R> {
  private static final long serialVersionUID = 1L;

  private final String cacheName;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  PrimaryJob(String cacheName) {
    this.cacheName = cacheName;
  }

  final void forEach(BiConsumer<Long, BinaryObject> taker) {
    Ignite here = Objects.requireNonNull(ignite);
    IgniteCache<Long, BinaryObject> cache =
        here.<Long, BinaryObject>cache(cacheName).withKeepBinary();
    for (int own : here.affinity(cacheName).primaryPartitions(here.cluster().localNode())) {
      ScanQuery<Long, BinaryObject> query = new ScanQuery<>(own);
      query.setLocal(true);
      try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
        cursor.forEach(entry -> taker.accept(entry.getKey(), entry.getValue()));
      }
    }
  }
}
