package io.pyrometer.driver.ignite.data;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/** Reads every record of a cache back. */
public final class ScanDigest {
  private static final int PAGE = 4_096;

  private ScanDigest() {}

  /** The digest of a cache, by a scan from this process. */
  public static ContentDigest of(IgniteCache<Long, BinaryObject> cache, Records records) {
    BinaryFields fields = BinaryFields.all(records.shape());
    ScanQuery<Long, BinaryObject> query = new ScanQuery<>();
    query.setPageSize(PAGE);
    long count = 0;
    long checksum = 0;
    try (QueryCursor<Cache.Entry<Long, BinaryObject>> cursor = cache.query(query)) {
      for (Cache.Entry<Long, BinaryObject> entry : cursor) {
        checksum += records.hash(entry.getKey(), fields.of(entry.getValue()));
        count++;
      }
    }
    return new ContentDigest(count, checksum);
  }
}
