package io.pyrometer.load.probe;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which record stands for which version of a key. Versions count from 1; a key comes round to the
 * same record again after so many versions as there are different records, so versions can be
 * distinguished as long as they lie less than that apart.
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
    if (different() < LEAST) {
      throw new IllegalArgumentException(
          Messages.format("load.few-versions")
              .formatted(pool.size(), pool.shape().name(), records.size()));
    }
  }

  /** After so many versions a key comes round to the same record. */
  int different() {
    return records.size();
  }

  /** Index into the pool of the record that is this version of the key. */
  int record(long key, int version) {
    return records.get(place(key, version));
  }

  /**
   * Returns whether the record with this hash is none of some versions of the key, but an older one
   * or none at all. It is known only if they are {@link #distinguishable}.
   *
   * @param acknowledged the first that may be found
   * @param begun the last that may be found
   */
  boolean older(long key, int acknowledged, int begun, long hash) {
    Integer place = placeOfHash.get(hash);
    return place == null
        || Math.floorMod(place - place(key, acknowledged), different()) > begun - acknowledged;
  }

  /** Returns whether so few versions may be found that as many older ones are other records. */
  boolean distinguishable(int acknowledged, int begun) {
    return begun - acknowledged < different() / 2;
  }

  private int place(long key, int version) {
    return (int) ((key + version) % different());
  }
}
