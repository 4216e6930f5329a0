package io.pyrometer.load;

/**
 * The contents of a cache, read back record by record. Each record is told by {@code
 * Records.hash(0, fields)}, so that equal records have equal hashes whatever their keys.
 */
public interface StoredContents {

  /** The hash told for a key that holds nothing. */
  long ABSENT = 0;

  /** Visits every key that is present, as its primary copy has it. */
  void forEach(Visitor visitor);

  /** Visits the same records with their fields, in the shape's order. */
  void forEachRecord(RecordVisitor visitor);

  /** Hash that a reader of the cache sees under a key, wherever the product lets it read. */
  long get(long key);

  /** Receives one key and the hash of its record. */
  @FunctionalInterface
  interface Visitor {
    void visit(long key, long hash);
  }

  /** Receives one key and the fields of its record; the array is the caller's. */
  @FunctionalInterface
  interface RecordVisitor {
    void visit(long key, Object[] fields);
  }
}
