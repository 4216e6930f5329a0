package io.pyrometer.load;

import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;

/** What a write leaves under its key, as the hash of its fields. */
@FunctionalInterface
interface ExpectedContents {

  long hash(long key, int record);

  /** Of the trial's job: the record written, or the one filled in with one field of that. */
  static ExpectedContents of(TrialSpec trial, Records records) {
    return trial.job() == Job.UPDATE
        ? merged(records, Update.field(records.shape(), trial.settings()))
        : whole(records);
  }

  private static ExpectedContents whole(Records records) {
    long[] hashes = new long[records.size()];
    for (int record = 0; record < hashes.length; record++) {
      hashes[record] = FieldHash.of(records.fields(record));
    }
    return (key, record) -> hashes[record];
  }

  private static ExpectedContents merged(Records records, int field) {
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
