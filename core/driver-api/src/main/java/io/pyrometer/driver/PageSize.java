package io.pyrometer.driver;

import io.pyrometer.load.Records;

/**
 * How many records a server or client holds in one message of Pyrometer's own: a page of a scan, a
 * batch of a bulk load. Bounded by bytes, because a page of a fixed number of large records takes
 * more memory than a server has.
 */
public final class PageSize {
  /** The bytes of a page, unless a single record is larger. */
  public static final long MAX_BYTES = 1L << 20;

  private PageSize() {}

  /**
   * The records of a page.
   *
   * @param most the number of small records that suits the product
   * @return at least 1
   */
  public static int of(Records records, int most) {
    return of(records.bytes(), most);
  }

  /**
   * Variant for records of this size.
   *
   * @param recordBytes the bytes of one record
   */
  public static int of(long recordBytes, int most) {
    return (int) Math.max(1, Math.min(most, MAX_BYTES / Math.max(1, recordBytes)));
  }
}
