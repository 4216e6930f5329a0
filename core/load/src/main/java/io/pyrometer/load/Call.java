package io.pyrometer.load;

/**
 * One call of an access path in flight: the keys and values it is to carry, and where its end is
 * told. Calls are pooled; a path must not touch one after it has told its end.
 */
public interface Call {

  /** How many records the call carries. */
  int size();

  /** Key of the i-th record. */
  long key(int i);

  /** Index into the trial's {@link Records} of the i-th record to write. */
  int record(int i);

  /** Which of the path's {@link AccessPath#operations()} to do. */
  int operation();

  /**
   * Returns whether the i-th key is absent, never written or removed, so that nothing may be found.
   */
  default boolean absent(int i) {
    return false;
  }

  /** Tells that a read carried another number of records than was drawn; before the call ends. */
  default void carried(int records) {}

  /** Amount that a transfer moves from the first key's record to the second's. */
  default long amount() {
    return 0;
  }

  /** The call is done and its records count. Any thread; once. */
  void done();

  /** The call failed. Any thread; once. */
  void failed(Throwable cause);
}
