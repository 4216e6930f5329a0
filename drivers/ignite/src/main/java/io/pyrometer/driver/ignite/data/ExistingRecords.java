package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.jspecify.annotations.Nullable;

/**
 * Records that a scan found in a cache that is not Pyrometer's: their keys, in random order, and a
 * hash of each value. Keys and values are binary objects, so that no class of the user is needed.
 */
public final class ExistingRecords {
  /** Most scans end after a few records of a partition. */
  private static final int MAX_PAGE_RECORDS = 64;

  private static final int SAMPLED_PARTITIONS = 8;

  /** Limit of one partition. */
  private static final int MAX_SAMPLED_RECORDS = 8_192;

  private final IgniteCache<Object, Object> cache;
  private final Random random;
  private final Map<Object, Integer> hashes = new LinkedHashMap<>();
  private long largestBytes = PageSize.MAX_BYTES;
  private List<Map.Entry<Object, Integer>> records = List.of();

  /** Finds one record first, whose bytes are known for the size of the next pages. */
  private ExistingRecords(IgniteCache<Object, Object> cache, long seed) {
    this.cache = cache;
    this.random = new Random(seed);
    scan(new ScanQuery<>(), 1);
  }

  /**
   * Finds records, as many of each partition as there are in all others, so that every node serves
   * its share.
   *
   * @param cache which keeps binary objects
   * @param wanted how many
   * @throws GridException if the cache holds fewer
   */
  public static ExistingRecords in(
      IgniteCache<Object, Object> cache, int partitions, int wanted, long seed) {
    ExistingRecords found = new ExistingRecords(cache, seed);
    int left = partitions;
    for (int partition : found.shuffled(partitions)) {
      int share = (wanted - found.count() + left - 1) / left;
      found.scan(new ScanQuery<>(partition), share);
      left--;
    }
    // The last partitions may hold less than their share.
    found.scan(new ScanQuery<>(), wanted - found.count());
    if (found.count() < wanted) {
      throw GridException.of(
          "Cache '%s' holds %,d records: set 'records' to as many or fewer, in place of %,d.",
          cache.getName(), found.count(), wanted);
    }
    return found.mixed();
  }

  /**
   * Finds records at random for what they look like: of a few whole partitions, because a scan of
   * one begins with the least hashes, which are the least numbers.
   *
   * @param wanted the least to find, if there are so many
   */
  static ExistingRecords sample(
      IgniteCache<Object, Object> cache, int partitions, int wanted, long seed) {
    ExistingRecords found = new ExistingRecords(cache, seed);
    List<Integer> order = found.shuffled(partitions);
    for (int i = 0; i < partitions && (i < SAMPLED_PARTITIONS || found.count() < wanted); i++) {
      found.scan(new ScanQuery<>(order.get(i)), MAX_SAMPLED_RECORDS);
    }
    return found.mixed();
  }

  private List<Integer> shuffled(int count) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(order, random);
    return order;
  }

  private ExistingRecords mixed() {
    records = new ArrayList<>(hashes.entrySet());
    Collections.shuffle(records, random);
    return this;
  }

  int count() {
    return hashes.size();
  }

  /**
   * @param index from 0 to one less than the records wanted
   */
  public Object key(long index) {
    return records.get((int) index).getKey();
  }

  /** Returns whether a value is the one that the scan found under a key. */
  public boolean isValue(long index, @Nullable Object value) {
    return value != null && hash(value) == records.get((int) index).getValue();
  }

  /** Equal for equal arrays too. */
  private static int hash(Object value) {
    return Arrays.deepHashCode(new Object[] {value});
  }

  private void scan(ScanQuery<Object, Object> scan, int most) {
    if (most <= 0) {
      return;
    }
    int end = count() + most;
    scan.setPageSize(PageSize.of(largestBytes, Math.min(MAX_PAGE_RECORDS, most)));
    try (QueryCursor<Cache.Entry<Object, Object>> found = cache.query(scan)) {
      for (Cache.Entry<Object, Object> record : found) {
        if (hashes.putIfAbsent(record.getKey(), hash(record.getValue())) == null) {
          long bytes = FieldSample.bytes(record.getValue());
          largestBytes = count() == 1 ? bytes : Math.max(largestBytes, bytes);
        }
        if (count() >= end) {
          return;
        }
      }
    }
  }
}
