package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.QueryAnswers;
import java.util.List;
import java.util.Map;

/**
 * One way of doing a job against a grid, opened for one load thread, which alone calls it. A
 * synchronous path has told the call's end when {@link #call} returns; an asynchronous one tells it
 * later, from any thread.
 */
public interface AccessPath extends AutoCloseable {

  /** Calls that may be in flight at once; 1 for a synchronous path. */
  int window();

  /** Records that one call carries. */
  int recordsPerCall();

  /** Names of the operations that are timed apart. */
  List<String> operations();

  /** Returns whether every call covers the whole data set by itself, whatever its keys. */
  default boolean wholeSet() {
    return false;
  }

  /**
   * Returns whether the grid may drop records of the trial by itself, by expiry or eviction, so
   * that an absent record is not lost.
   */
  default boolean mayDrop() {
    return false;
  }

  /**
   * Does or begins one call.
   *
   * @throws Exception where the call failed before it began; counts like {@link Call#failed}
   */
  void call(Call call) throws Exception;

  /** Ensures that every call in flight completes without further calls (flushes buffers). */
  default void flush() throws Exception {}

  /**
   * For a job that reads the whole set: what was read since the last time this was asked, and
   * forgets it. The generator asks at the end of every pass over the keys.
   */
  default Aggregate takeAnswer() {
    return Aggregate.NOTHING;
  }

  /** For a job that mixes operations: these, in the order of {@link #operations()}. */
  default List<MixedOperation> mix() {
    throw new IllegalArgumentException("This path mixes no operations.");
  }

  /** How often an operation is drawn, relative to others, for a job whose path says so. */
  default double weight(int operation) {
    return 1;
  }

  /**
   * For a job of queries, or of reads of records that were there before: executes every operation,
   * and compares what it is answered with the truth.
   *
   * @param keys each set of keys that parameters are made of, as many as a call carries
   */
  default QueryAnswers compareAnswers(List<long[]> keys) {
    throw new IllegalArgumentException("This path asks no queries.");
  }

  /**
   * How many records of its calls the client replaced by later ones of the same key before it sent
   * them, since the path was opened. They do not count as written. Asked for by other threads.
   */
  default long mergedRecords() {
    return 0;
  }

  /**
   * Events that the path counted besides calls since it was opened, by name, such as attempts that
   * were rolled back; the same names each time. Asked for by other threads.
   */
  default Map<String, Long> events() {
    return Map.of();
  }

  @Override
  default void close() {}
}
