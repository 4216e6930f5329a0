package io.pyrometer.driver;

/**
 * The records of a trial as the client of a product takes and returns them.
 *
 * @param <V> a record in this form
 */
public interface RecordForm<V> {

  /** The record of this index, made in advance; shared, not to be changed. */
  V of(int record);

  /** The fields of a stored record in the shape's order. */
  Object[] fields(V stored);
}
