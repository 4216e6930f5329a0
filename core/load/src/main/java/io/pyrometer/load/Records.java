package io.pyrometer.load;

import io.pyrometer.protocol.RecordShape;

/**
 * The records of a trial: a pool of different ones, made from the seed before anything is timed, so
 * that every agent of the trial has the same.
 */
public interface Records {

  /** How many different records there are. */
  int size();

  /** The shape, its fields always spelt out. */
  RecordShape shape();

  /** The bytes of the values of one record, without what a product adds to them. */
  default long bytes() {
    return shape().bytes();
  }

  /**
   * Field values of a record in the shape's order, as String, Long, Integer, Double, Float,
   * Boolean, byte[] or java.util.Date; made anew at each call, for drivers to turn into what they
   * store, once.
   */
  Object[] fields(int record);

  /**
   * Hash of a key with the fields stored under it, in the shape's order: the sum of these is a
   * checksum.
   */
  long hash(long key, Object[] fields);
}
