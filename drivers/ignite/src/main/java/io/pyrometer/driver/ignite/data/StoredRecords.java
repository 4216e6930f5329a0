package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.client.CacheClient;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import java.util.function.Supplier;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.jspecify.annotations.Nullable;

/**
 * The records of a cache one by one: all of them from their primary copies, single ones by a thin
 * client that asks one server for every key, which then may answer from a backup copy of its own.
 * (A thick client on the servers' own machine always asks the primary.)
 */
public final class StoredRecords implements StoredContents, AutoCloseable {
  private static final int MAX_PAGE_RECORDS = 4_096;

  private final IgniteCache<Long, BinaryObject> cache;
  private final Records records;
  private final Supplier<CacheClient> connect;
  private final ThreadLocal<BinaryFields> fields;
  private @Nullable CacheClient reader;

  /**
   * @param cache that keeps binary objects
   * @param connect makes the client for single records, when the first is asked for
   */
  public StoredRecords(
      IgniteCache<Long, BinaryObject> cache, Records records, Supplier<CacheClient> connect) {
    this.cache = cache;
    this.records = records;
    this.connect = connect;
    this.fields = ThreadLocal.withInitial(() -> BinaryFields.all(records.shape()));
  }

  @Override
  public void forEach(Visitor visitor) {
    forEachRecord((key, record) -> visitor.visit(key, records.hash(0, record)));
  }

  @Override
  public void forEachRecord(RecordVisitor visitor) {
    ScanQuery<Long, BinaryObject> query = new ScanQuery<>();
    query.setPageSize(PageSize.of(records, MAX_PAGE_RECORDS));
    try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
      cursor.forEach(entry -> visitor.visit(entry.getKey(), fields.get().of(entry.getValue())));
    }
  }

  /** Reads every record back. */
  public ContentDigest digest() {
    long[] countAndChecksum = new long[2];
    forEachRecord(
        (key, record) -> {
          countAndChecksum[0]++;
          countAndChecksum[1] += records.hash(key, record);
        });
    return new ContentDigest(countAndChecksum[0], countAndChecksum[1]);
  }

  @Override
  public long get(long key) {
    return reader().get(key) instanceof BinaryObject found ? hash(found) : ABSENT;
  }

  private synchronized CacheClient reader() {
    if (reader == null) {
      reader = connect.get();
    }
    return reader;
  }

  @Override
  public synchronized void close() {
    if (reader != null) {
      reader.close();
    }
  }

  private long hash(BinaryObject object) {
    return records.hash(0, fields.get().of(object));
  }
}
