package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.ignite.client.CachePort;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import java.util.Optional;
import java.util.function.Supplier;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.jspecify.annotations.Nullable;

/**
 * The records of a cache: all of them from their primary copies, single ones by a thin client that
 * asks one server for every key, which then may answer from a backup copy of its own. (A thick
 * client on the servers' own machine always asks the primary.)
 */
public final class StoredRecords implements AutoCloseable {
  private static final int MAX_PAGE_RECORDS = 4_096;

  private final IgniteCache<Long, BinaryObject> cache;
  private final Records records;
  private final Supplier<CachePort<Long>> connect;
  private final ThreadLocal<BinaryFields> fields;
  private @Nullable CachePort<Long> reader;

  /**
   * @param cache that keeps binary objects
   * @param connect makes the client for single records, when the first is asked for
   */
  public StoredRecords(
      IgniteCache<Long, BinaryObject> cache, Records records, Supplier<CachePort<Long>> connect) {
    this.cache = cache;
    this.records = records;
    this.connect = connect;
    this.fields = ThreadLocal.withInitial(() -> BinaryFields.all(records.shape()));
  }

  public ScannedContents contents() {
    return new ScannedContents(records, this::scan, this::read);
  }

  private void scan(StoredContents.RecordVisitor visitor) {
    ScanQuery<Long, BinaryObject> query = new ScanQuery<>();
    query.setPageSize(PageSize.of(records, MAX_PAGE_RECORDS));
    try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
      cursor.forEach(entry -> visitor.visit(entry.getKey(), fields.get().of(entry.getValue())));
    }
  }

  private Optional<Object[]> read(long key) {
    return reader().get(key) instanceof BinaryObject found
        ? Optional.of(fields.get().of(found))
        : Optional.empty();
  }

  private synchronized CachePort<Long> reader() {
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
}
