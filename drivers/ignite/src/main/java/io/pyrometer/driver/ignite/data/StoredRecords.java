package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.Records;
import io.pyrometer.load.probe.Stored;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/** The records of a cache one by one, as the agent's client sees them. */
public final class StoredRecords implements Stored {
  private static final int PAGE = 4_096;

  private final IgniteCache<Long, BinaryObject> cache;
  private final Records records;
  private final ThreadLocal<Fields> fields;

  /**
   * @param cache that keeps binary objects
   */
  public StoredRecords(IgniteCache<Long, BinaryObject> cache, Records records) {
    this.cache = cache;
    this.records = records;
    this.fields = ThreadLocal.withInitial(() -> Fields.all(records.shape()));
  }

  @Override
  public void forEach(Taker taker) {
    ScanQuery<Long, BinaryObject> query = new ScanQuery<>();
    query.setPageSize(PAGE);
    try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
      cursor.forEach(entry -> taker.take(entry.getKey(), hash(entry.getValue())));
    }
  }

  @Override
  public long get(long key) {
    BinaryObject found = cache.get(key);
    return found == null ? ABSENT : hash(found);
  }

  private long hash(BinaryObject object) {
    return records.hash(0, fields.get().of(object));
  }
}
