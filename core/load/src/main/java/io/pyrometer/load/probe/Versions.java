package io.pyrometer.load.probe;

import io.pyrometer.load.Records;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which record stands for which version of a key. Versions count from 1; a key comes round to the
 * same record again after so many versions as there are different records, so two versions can be
 * distinguished as long as they lie less than half of that apart.
 */
final class Versions {
  private static final int MOST = 4_096;
  private static final int LEAST = 8;

  private final List<Integer> records = new ArrayList<>();
  private final Map<Long, Integer> placeOfHash = new HashMap<>();

  /**
   * @throws IllegalArgumentException if too few records differ
   */
  Versions(Records pool) {
    for (int record = 0; record < Math.min(pool.size(), MOST); record++) {
      if (placeOfHash.putIfAbsent(pool.hash(0, pool.fields(record)), records.size()) == null) {
        records.add(record);
      }
    }
    if (records.size() < LEAST) {
      throw new IllegalArgumentException(
          "Versions of a key cannot be distinguished: of "
              + pool.size()
              + " records of '"
              + pool.shape().name()
              + "' only "
              + records.size()
              + " differ; give its fields more different values.");
    }
  }

  /** Index into the pool of the record that is this version of the key. */
  int record(long key, int version) {
    return records.get(place(key, version));
  }

  /**
   * Whether the record with this hash is an older version of the key than the given one, or none.
   */
  boolean older(long key, int version, long hash) {
    Integer place = placeOfHash.get(hash);
    if (place == null) {
      return true;
    }
    int behind = Math.floorMod(place(key, version) - place, records.size());
    return behind > 0 && behind < records.size() / 2;
  }

  /**
   * Whether a record read while these were the versions acknowledged before and after can be told
   * from an older one; the other half of that distance is left for writes that are on their way.
   */
  boolean distinguishable(int before, int after) {
    return after - before < records.size() / 4;
  }

  private int place(long key, int version) {
    return (int) ((key + version) % records.size());
  }
}
