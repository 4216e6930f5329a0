package io.pyrometer.load;

import io.pyrometer.protocol.ContentDigest;

/**
 * Contents that one load thread's writes should have left: for each key of its key space the record
 * last written (or first, where the path does not overwrite). Written by one thread at a time, read
 * after the load thread has ended.
 */
final class WriteModel {

  /** The value for an absent record. */
  static final int NONE = -1;

  private final KeySpace space;
  private final boolean overwrites;
  private final int[] recordPlusOne;

  WriteModel(KeySpace space, boolean overwrites) {
    this.space = space;
    this.overwrites = overwrites;
    this.recordPlusOne = new int[Math.toIntExact(space.size())];
  }

  /**
   * Records that the set-up filled in before the thread began: the record of a key is the key's
   * remainder by the pool's size.
   *
   * @param keys those from 0 to one less
   * @param records the pool's size
   */
  void filled(long keys, int records) {
    for (int i = 0; i < recordPlusOne.length; i++) {
      long key = space.key(i);
      if (key < keys) {
        recordPlusOne[i] = 1 + (int) (key % records);
      }
    }
  }

  /** The call's records: told when they are acknowledged, or begun where ends come in any order. */
  void wrote(Slot call) {
    for (int i = 0; i < call.size; i++) {
      wrote(call.keys[i], call.records[i]);
    }
  }

  void wrote(long key, int record) {
    int position = space.position(key);
    if (overwrites || recordPlusOne[position] == 0) {
      recordPlusOne[position] = record + 1;
    }
  }

  /** The records of the call's keys are gone. */
  void removed(Slot call) {
    for (int i = 0; i < call.size; i++) {
      recordPlusOne[space.position(call.keys[i])] = 0;
    }
  }

  /** Returns whether there is a record under a key of the key space. */
  boolean present(long key) {
    return recordPlusOne[space.position(key)] != 0;
  }

  /** Returns whether the key is of this key space. */
  boolean owns(long key) {
    return space.contains(key);
  }

  /** The record under a key of the key space, or {@link #NONE}. */
  int recordOf(long key) {
    return record(space.position(key));
  }

  /** The record at a position of the key space, or {@link #NONE}. */
  int record(int position) {
    return recordPlusOne[position] - 1;
  }

  ContentDigest expected(ExpectedContents contents) {
    long count = 0;
    long checksum = 0;
    for (int i = 0; i < recordPlusOne.length; i++) {
      if (recordPlusOne[i] != 0) {
        long key = space.key(i);
        count++;
        checksum += FieldHash.keyed(key, contents.hash(key, recordPlusOne[i] - 1));
      }
    }
    return new ContentDigest(count, checksum);
  }
}
