package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.HighestFields;
import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.TrialSpec;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of servers over the entries whose primary copies they hold, instead of sending them. They
 * must have this class.
 */
public final class PrimaryEntries {
  private PrimaryEntries() {}

  /** The digest of a cache, each server's part computed by itself. */
  public static ContentDigest digest(Ignite ignite, String cacheName, TrialSpec trial) {
    return servers(ignite, cacheName)
        .broadcast(new Digest(cacheName, new ServerRecords(trial)))
        .stream()
        .map(part -> new ContentDigest(part[0], part[1]))
        .reduce(ContentDigest.EMPTY, ContentDigest::plus);
  }

  /** Reads the highest values of a cache, those of each server by itself, into an aggregate. */
  public static Consumer<HighestFields> highest(
      Ignite ignite, String cacheName, HighestFields empty) {
    IgniteCompute servers = servers(ignite, cacheName);
    Highest job = new Highest(cacheName, empty);
    return highest -> servers.broadcast(job).forEach(highest::merge);
  }

  private static IgniteCompute servers(Ignite ignite, String cacheName) {
    return ignite.compute(ignite.cluster().forDataNodes(cacheName));
  }

  /**
   * A job for server nodes.
   *
   * @param <R> what a node answers
   */
  private abstract static class OfNode<R> implements IgniteCallable<R> {
    private static final long serialVersionUID = 1L;

    private final String cacheName;
    @IgniteInstanceResource private transient @Nullable Ignite ignite;

    OfNode(String cacheName) {
      this.cacheName = cacheName;
    }

    final void forEach(BiConsumer<Object, BinaryObject> taker) {
      Ignite here = Objects.requireNonNull(ignite);
      IgniteCache<Object, BinaryObject> cache =
          here.<Object, BinaryObject>cache(cacheName).withKeepBinary();
      for (int own : here.affinity(cacheName).primaryPartitions(here.cluster().localNode())) {
        ScanQuery<Object, BinaryObject> query = new ScanQuery<>(own);
        query.setLocal(true);
        try (QueryCursor<Cache.Entry<Object, BinaryObject>> cursor = cache.query(query)) {
          cursor.forEach(entry -> taker.accept(entry.getKey(), entry.getValue()));
        }
      }
    }
  }

  /** The count of a node's entries, then their checksum. */
  private static final class Digest extends OfNode<long[]> {
    private static final long serialVersionUID = 1L;

    private final ServerRecords trial;

    Digest(String cacheName, ServerRecords trial) {
      super(cacheName);
      this.trial = trial;
    }

    @Override
    public long[] call() {
      TrialSpec spec = trial.trial();
      Records records = RecordPool.of(spec.record(), spec.settings(), spec.seed());
      BinaryFields fields = BinaryFields.all(records.shape());
      KeyForm keys = KeyForm.of(spec.settings());
      long[] countAndChecksum = new long[2];
      forEach(
          (key, record) -> {
            countAndChecksum[0]++;
            countAndChecksum[1] += records.hash(keys.number(key), fields.of(record));
          });
      return countAndChecksum;
    }
  }

  private static final class Highest extends OfNode<HighestFields> {
    private static final long serialVersionUID = 1L;

    private final HighestFields empty;

    Highest(String cacheName, HighestFields empty) {
      super(cacheName);
      this.empty = empty;
    }

    @Override
    public HighestFields call() {
      HighestFields highest = empty.empty();
      BinaryFields fields = new BinaryFields(highest.names());
      forEach((key, record) -> fields.see(highest, record));
      return highest;
    }
  }
}
