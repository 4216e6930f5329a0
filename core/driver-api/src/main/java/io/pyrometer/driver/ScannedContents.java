package io.pyrometer.driver;

import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.load.StoredContents.RecordVisitor;
import io.pyrometer.protocol.ContentDigest;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * The stored records of a trial and their digest, for a product that can scan its data set and read
 * one key. A driver gives the two reads, this class the hashing.
 */
public final class ScannedContents implements StoredContents {
  private final Records records;
  private final Consumer<RecordVisitor> scan;
  private final LongFunction<Optional<Object[]>> read;

  /**
   * Joins the two reads of a driver.
   *
   * @param records the trial's records, which say how fields are hashed
   * @param scan shows every key that is present to the visitor, each once
   * @param read gives the fields stored under a key, or nothing if the key is absent
   */
  public ScannedContents(
      Records records, Consumer<RecordVisitor> scan, LongFunction<Optional<Object[]>> read) {
    this.records = records;
    this.scan = scan;
    this.read = read;
  }

  @Override
  public void forEach(Visitor visitor) {
    scan.accept((key, fields) -> visitor.visit(key, records.hash(0, fields)));
  }

  @Override
  public void forEachRecord(RecordVisitor visitor) {
    scan.accept(visitor);
  }

  @Override
  public long get(long key) {
    return read.apply(key).map(fields -> records.hash(0, fields)).orElse(ABSENT);
  }

  /** Scans the data set and adds up the hashes of its keys with their records. */
  public ContentDigest digest() {
    ContentDigest[] all = {ContentDigest.EMPTY};
    scan.accept(
        (key, fields) -> all[0] = all[0].plus(new ContentDigest(1, records.hash(key, fields))));
    return all[0];
  }
}
