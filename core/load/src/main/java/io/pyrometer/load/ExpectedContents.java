package io.pyrometer.load;

/** What a write of a record leaves under a key, as the hash of its fields. */
@FunctionalInterface
interface ExpectedContents {

  /** Hash of the fields that are stored under the key once the record was written there. */
  long hash(long key, int record);

  /** The whole record is stored. */
  static ExpectedContents written(Records records) {
    long[] hashes = new long[records.size()];
    for (int record = 0; record < hashes.length; record++) {
      hashes[record] = FieldHash.of(records.fields(record));
    }
    return (key, record) -> hashes[record];
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
