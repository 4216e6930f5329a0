package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;

/**
 * What one lane's writes should have left behind: for each of its keys the record last written (or
 * first, where the path does not overwrite). Written by one thread at a time, read after the lane
 * has ended.
 */
final class WriteModel {

  private final LoadThread lane;
  private final boolean overwrites;
  private final int[] recordPlusOne;

  WriteModel(LoadThread lane, long laneKeys, boolean overwrites) {
    this.lane = lane;
    this.overwrites = overwrites;
    this.recordPlusOne = new int[Math.toIntExact(laneKeys)];
  }

  /**
   * What the set-up filled in before the lane began: the record of a key is the key's remainder by
   * the pool's size.
   */
  void filled(int records) {
    for (int i = 0; i < recordPlusOne.length; i++) {
      recordPlusOne[i] = 1 + (int) (key(i) % records);
    }
  }

  /** The call's records: told when they are acknowledged, or begun where ends come in any order. */
  void wrote(Slot call) {
    for (int i = 0; i < call.size; i++) {
      wrote(call.keys[i], call.records[i]);
    }
  }

  void wrote(long key, int record) {
    int position = (int) (key / lane.count());
    if (overwrites || recordPlusOne[position] == 0) {
      recordPlusOne[position] = record + 1;
    }
  }

  ContentDigest expected(ExpectedContents remains) {
    long count = 0;
    long checksum = 0;
    for (int i = 0; i < recordPlusOne.length; i++) {
      if (recordPlusOne[i] != 0) {
        count++;
        checksum += FieldHash.keyed(key(i), remains.hash(key(i), recordPlusOne[i] - 1));
      }
    }
    return new ContentDigest(count, checksum);
  }

  private long key(int position) {
    return lane.index() + (long) position * lane.count();
  }
}
