package io.pyrometer.protocol;

/**
 * A digest of a set of records that does not depend on their order.
 *
 * @param count number of records
 * @param checksum sum modulo 2⁶⁴ of a 64-bit hash of each key with its record's fields
 */
public record ContentDigest(long count, long checksum) {

  /** The digest of no records. */
  public static final ContentDigest EMPTY = new ContentDigest(0, 0);

  /** The digest of two disjoint sets together. */
  public ContentDigest plus(ContentDigest other) {
    return new ContentDigest(count + other.count, checksum + other.checksum);
  }
}
