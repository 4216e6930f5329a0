package io.pyrometer.protocol;

/**
 * A set of records in two numbers that do not depend on their order.
 *
 * @param count of records
 * @param checksum sum modulo 2⁶⁴ of a 64-bit hash of each key with its record's fields
 */
public record Tally(long count, long checksum) {

  public static final Tally NOTHING = new Tally(0, 0);

  public Tally plus(Tally other) {
    return new Tally(count + other.count, checksum + other.checksum);
  }
}
