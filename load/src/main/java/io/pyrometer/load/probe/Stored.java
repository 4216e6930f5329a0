package io.pyrometer.load.probe;

/**
 * What a cache holds, each record told by {@code Records.hash(0, fields)}, so that equal records
 * are equal whatever their keys.
 */
public interface Stored {

  /** The hash told for a key that holds nothing. */
  long ABSENT = 0;

  /** Tells every key that is there, as its primary copy has it. */
  void forEach(Taker taker);

  /** What a reader of the cache sees under a key, wherever the product lets it read. */
  long get(long key);

  /** Takes one key and the hash of its record. */
  @FunctionalInterface
  interface Taker {
    void take(long key, long hash);
  }
}
