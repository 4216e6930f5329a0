package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.HighestFields;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.TrialSpec;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.lang.IgniteCallable;

/**
 * Jobs of servers over the entries whose primary copies they hold, instead of sending them. They
 * must have this class.
 */
public final class PrimaryEntries {
  private PrimaryEntries() {}

  /** The digest of a cache, each server's part computed by itself. */
  public static ContentDigest digest(Ignite ignite, String cacheName, TrialSpec trial) {
    ServerRecords sent = new ServerRecords(trial);
    return ofServers(ignite, cacheName, () -> digest(cacheName, sent.trial())).stream()
        .map(part -> new ContentDigest(part[0], part[1]))
        .reduce(ContentDigest.EMPTY, ContentDigest::plus);
  }

  /** Reads the highest values of a cache, those of each server by itself, into an aggregate. */
  public static Consumer<HighestFields> highest(
      Ignite ignite, String cacheName, HighestFields empty) {
    return highest ->
        ofServers(ignite, cacheName, () -> highest(cacheName, empty.empty()))
            .forEach(highest::merge);
  }

  private static <T> Collection<T> ofServers(
      Ignite ignite, String cacheName, IgniteCallable<T> job) {
    return ignite.compute(ignite.cluster().forDataNodes(cacheName)).broadcast(job);
  }

  /** The count of the entries of this server, then their checksum. */
  private static long[] digest(String cacheName, TrialSpec trial) {
    Records records = Records.of(trial);
    BinaryFields fields = BinaryFields.all(records.shape());
    KeyForm keys = KeyForm.of(trial.settings());
    long[] countAndChecksum = new long[2];
    forEach(
        cacheName,
        (key, record) -> {
          countAndChecksum[0]++;
          countAndChecksum[1] += records.hash(keys.number(key), fields.of(record));
        });
    return countAndChecksum;
  }

  private static HighestFields highest(String cacheName, HighestFields highest) {
    BinaryFields fields = new BinaryFields(highest.names());
    forEach(cacheName, (key, record) -> fields.see(highest, record));
    return highest;
  }

  private static void forEach(String cacheName, BiConsumer<Object, BinaryObject> taker) {
    Ignite server = Ignition.localIgnite();
    IgniteCache<Object, BinaryObject> cache =
        server.<Object, BinaryObject>cache(cacheName).withKeepBinary();
    for (int own : server.affinity(cacheName).primaryPartitions(server.cluster().localNode())) {
      ScanQuery<Object, BinaryObject> query = new ScanQuery<>(own);
      query.setLocal(true);
      try (QueryCursor<Cache.Entry<Object, BinaryObject>> cursor = cache.query(query)) {
        cursor.forEach(entry -> taker.accept(entry.getKey(), entry.getValue()));
      }
    }
  }
}
