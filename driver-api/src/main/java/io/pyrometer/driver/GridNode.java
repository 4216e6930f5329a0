package io.pyrometer.driver;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A server node running in this JVM. */
public interface GridNode extends AutoCloseable {

  /** host:port where clients connect, if the product has clients apart from nodes. */
  Optional<String> clientAddress();

  /** What the running node says of its own configuration. */
  Map<String, String> configuration();

  /**
   * Returns when so many servers are joined.
   *
   * @throws GridException if they are not within the timeout
   */
  void awaitNodes(int nodes, Duration timeout);

  /** The metrics that the product keeps in this process; empty where it keeps none. */
  default Optional<GridMetrics> metrics() {
    return Optional.empty();
  }

  @Override
  void close();
}
