package io.pyrometer.driver.ignite.data;

import java.util.function.BiConsumer;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/** The entries whose primary copy a server node holds. */
final class PrimaryEntries {

  private PrimaryEntries() {}

  static void forEach(
      Ignite ignite, String cacheName, BiConsumer<? super Long, ? super BinaryObject> taker) {
    int[] own = ignite.affinity(cacheName).primaryPartitions(ignite.cluster().localNode());
    for (int partition : own) {
      ofPartition(ignite, cacheName, partition, taker);
    }
  }

  static void ofPartition(
      Ignite ignite,
      String cacheName,
      int partition,
      BiConsumer<? super Long, ? super BinaryObject> taker) {
    IgniteCache<Long, BinaryObject> cache =
        ignite.<Long, BinaryObject>cache(cacheName).withKeepBinary();
    ScanQuery<Long, BinaryObject> query = new ScanQuery<>(partition);
    query.setLocal(true);
    try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
      cursor.forEach(entry -> taker.accept(entry.getKey(), entry.getValue()));
    }
  }
}
