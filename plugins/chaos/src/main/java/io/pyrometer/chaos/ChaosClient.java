package io.pyrometer.chaos;

import java.util.List;
import java.util.OptionalLong;

/**
 * Operations by one process. What they throw leaves open whether they took effect, except for
 * {@link NotCommittedException}.
 */
public interface ChaosClient extends AutoCloseable {
  /** In place of an appended value: the list is read. */
  long READ = Long.MIN_VALUE;

  /** The product is sure that a transaction took no effect and never will. */
  final class NotCommittedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotCommittedException(Throwable cause) {
      super(cause);
    }
  }

  default OptionalLong read(long key) {
    throw new IllegalStateException("This path has no reads of single keys.");
  }

  default void write(long key, long value) {
    throw new IllegalStateException("This path has no writes of single keys.");
  }

  /** Compare-and-set: whether the expected value was found and replaced. */
  default boolean replace(long key, long expected, long value) {
    throw new IllegalStateException("This path has no compare-and-set.");
  }

  /** Adds one to the value of a key, where the product does so; the first value is one. */
  default void increment(long key) {
    throw new IllegalStateException("This path has no counters.");
  }

  /**
   * One transaction over lists, in this order.
   *
   * @param keys ascending
   * @param appended a value for each key, or {@link #READ}
   * @return the list of each key as it was before
   * @throws NotCommittedException if it surely took no effect
   */
  default List<List<Long>> transact(long[] keys, long[] appended) {
    throw new IllegalStateException("This path has no transactions.");
  }

  @Override
  default void close() {}
}
