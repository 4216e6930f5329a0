package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PageSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

  private final Object[] keys;
  private final int[] hashes;

  private ExistingRecords(Object[] keys, int[] hashes) {
    this.keys = keys;
    this.hashes = hashes;
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
    Random random = new Random(seed);
    List<Integer> order = shuffled(partitions, random);
    Found found = new Found(wanted);
    found.scan(cache, new ScanQuery<>(), 1); // the bytes of a record, for the size of pages
    for (int i = 0; i < partitions; i++) {
      int left = partitions - i;
      int share = (wanted - found.count() + left - 1) / left;
      found.scan(cache, new ScanQuery<>().setPartition(order.get(i)), share);
    }
    if (found.count() < wanted) {
      // The last partitions held less than their share.
      found.scan(cache, new ScanQuery<>(), wanted - found.count());
    }
    if (found.count() < wanted) {
      throw GridException.of(
          "Cache '%s' holds %,d records: set 'records' to as many or fewer, in place of %,d.",
          cache.getName(), found.count(), wanted);
    }
    return found.shuffled(random);
  }

  /**
   * Finds records at random for what they look like: of a few whole partitions, because a scan of
   * one begins with the least hashes, which are the least numbers.
   *
   * @param wanted the least to find, if there are so many
   */
  static ExistingRecords sample(
      IgniteCache<Object, Object> cache, int partitions, int wanted, long seed) {
    Random random = new Random(seed);
    List<Integer> order = shuffled(partitions, random);
    Found found = new Found(Integer.MAX_VALUE);
    found.scan(cache, new ScanQuery<>(), 1);
    for (int i = 0; i < partitions && (i < SAMPLED_PARTITIONS || found.count() < wanted); i++) {
      found.scan(cache, new ScanQuery<>().setPartition(order.get(i)), MAX_SAMPLED_RECORDS);
    }
    return found.shuffled(random);
  }

  private static List<Integer> shuffled(int count, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(order, random);
    return order;
  }

  int count() {
    return keys.length;
  }

  /**
   * @param index from 0 to one less than the records wanted
   */
  public Object key(long index) {
    return keys[(int) index];
  }

  /** Returns whether a value is the one that the scan found under a key. */
  public boolean isValue(long index, @Nullable Object value) {
    return value != null && hash(value) == hashes[(int) index];
  }

  /** Equal for equal arrays too. */
  private static int hash(Object value) {
    return Arrays.deepHashCode(new Object[] {value});
  }

  private static final class Found {
    private final int wanted;
    private final List<Object> keys = new ArrayList<>();
    private final List<Integer> hashes = new ArrayList<>();
    private final Set<Object> distinct = new HashSet<>();
    private long largestBytes = PageSize.MAX_BYTES;

    Found(int wanted) {
      this.wanted = wanted;
    }

    int count() {
      return keys.size();
    }

    void scan(IgniteCache<Object, Object> cache, ScanQuery<Object, Object> scan, int most) {
      if (most <= 0) {
        return;
      }
      int end = Math.min(wanted, count() + most);
      scan.setPageSize(PageSize.of(largestBytes, Math.min(MAX_PAGE_RECORDS, most)));
      try (QueryCursor<Cache.Entry<Object, Object>> records = cache.query(scan)) {
        for (Cache.Entry<Object, Object> record : records) {
          if (distinct.add(record.getKey())) {
            keys.add(record.getKey());
            hashes.add(hash(record.getValue()));
            long bytes = FieldSample.bytes(record.getValue());
            largestBytes = count() == 1 ? bytes : Math.max(largestBytes, bytes);
          }
          if (count() == end) {
            return;
          }
        }
      }
    }

    ExistingRecords shuffled(Random random) {
      List<Integer> order = ExistingRecords.shuffled(count(), random);
      return new ExistingRecords(
          order.stream().map(keys::get).toArray(), order.stream().mapToInt(hashes::get).toArray());
    }
  }
}
