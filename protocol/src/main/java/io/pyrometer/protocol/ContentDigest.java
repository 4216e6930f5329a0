package io.pyrometer.protocol;

/**
 * A set of records in two numbers that do not depend on their order.
 *
 * @param count of records
 * @param checksum sum modulo 2⁶⁴ of a 64-bit hash of each key with its record's fields
 */
public record ContentDigest(long count, long checksum) {

  public static final ContentDigest EMPTY = new ContentDigest(0, 0);

  public ContentDigest plus(ContentDigest other) {
    return new ContentDigest(count + other.count, checksum + other.checksum);
  }
}
