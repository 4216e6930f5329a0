package io.pyrometer.load;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Hash of the fields that a write of a record leaves under a key. */
interface ExpectedContents {

  /** Hash of the fields that are stored under the key once the record was written there. */
  long hash(long key, int record);

  /**
   * A record that leaves this value under whatever key, by the hash of {@link StoredContents};
   * empty where there is none, or where what is left depends on the key.
   */
  default OptionalInt recordOf(long storedHash) {
    return OptionalInt.empty();
  }

  /** The whole record is stored. */
  static ExpectedContents written(Records records) {
    long[] hashes = new long[records.size()];
    Map<Long, Integer> byStoredHash = new HashMap<>();
    for (int record = 0; record < hashes.length; record++) {
      hashes[record] = FieldHash.of(records.fields(record));
      byStoredHash.put(FieldHash.keyed(0, hashes[record]), record);
    }
    return new ExpectedContents() {
      @Override
      public long hash(long key, int record) {
        return hashes[record];
      }

      @Override
      public OptionalInt recordOf(long storedHash) {
        Integer record = byStoredHash.get(storedHash);
        return record == null ? OptionalInt.empty() : OptionalInt.of(record);
      }
    };
  }

  /** The record filled in remains, but for one field of the record written. */
  static ExpectedContents updated(Records records, int field) {
    Object[][] fields = new Object[records.size()][];
    for (int record = 0; record < fields.length; record++) {
      fields[record] = records.fields(record);
    }
    return (key, record) -> {
      Object[] merged = fields[(int) (key % fields.length)].clone();
      merged[field] = fields[record][field];
      return FieldHash.of(merged);
    };
  }
}
