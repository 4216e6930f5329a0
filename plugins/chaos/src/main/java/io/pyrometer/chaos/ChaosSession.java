package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosMessages.Accepted;
import io.pyrometer.chaos.history.Isolation;
import java.util.Map;
import java.util.Optional;

/** The product's side of a trial under faults. */
public interface ChaosSession extends AutoCloseable {

  /** The configuration of the data set and the grid, read back. */
  Map<String, String> configuration();

  /**
   * Isolation that the product promises of transactions with the trial's settings; empty where the
   * trial calls single operations.
   */
  Optional<Isolation> isolation();

  /** Promise of the product for single operations under the trial's faults. */
  Promise promise();

  /** A client for one process, with a connection of its own where the product has such. */
  ChaosClient client(int process);

  /** Returns whether all servers are there and hold all copies, so that the next may fail. */
  boolean whole(int servers);

  /** Makes the whole grid refuse writes, or all operations, or accept them again. */
  default void accept(Accepted accepted) {
    throw new IllegalStateException("This product has no such state: " + accepted);
  }

  /** Removes the data set. */
  void destroy();

  @Override
  void close();
}
