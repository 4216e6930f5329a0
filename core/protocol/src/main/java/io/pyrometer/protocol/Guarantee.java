package io.pyrometer.protocol;

/**
 * The promises of a path for its writes.
 *
 * @param overwrites a write replaces the value that is there
 * @param ordered the last write to a key, in the order of one writing thread, is what remains
 * @param durable when a call is done, the copies that the grid's write synchronisation names store
 *     it
 * @param atomic all records of one call become visible together or not at all
 */
public record Guarantee(boolean overwrites, boolean ordered, boolean durable, boolean atomic) {

  /** The guarantee of a call that carries one record. */
  public static final Guarantee OF_ONE = new Guarantee(true, true, true, true);
}
