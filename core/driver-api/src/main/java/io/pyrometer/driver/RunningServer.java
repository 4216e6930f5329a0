package io.pyrometer.driver;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server that serves data: in this JVM, or as native processes that this JVM supervises. */
public interface RunningServer extends AutoCloseable {

  /** host:port where clients connect, if the product has clients apart from servers. */
  Optional<String> clientAddress();

  /** The configuration of the running server, read from the server itself. */
  Map<String, String> configuration();

  /**
   * Returns when so many servers form one grid that can be used.
   *
   * @throws GridException if they do not within the timeout
   */
  void awaitServers(int servers, Duration timeout);

  /**
   * The processes that serve the data, whose CPU time and memory are the server's; empty where the
   * server runs in this JVM.
   */
  default List<Long> processIds() {
    return List.of();
  }

  /**
   * Completes with one sentence when the server ends without having been closed. A server in this
   * JVM ends the JVM instead.
   */
  default CompletableFuture<String> ended() {
    return new CompletableFuture<>();
  }

  /**
   * The bytes of memory that the data of this server take at this moment, indexes and page overhead
   * included; empty where the product does not tell. Asked for a few times in each trial, under
   * load and on any thread: it must be cheap.
   */
  default Optional<Long> storedBytes() {
    return Optional.empty();
  }

  /** The metrics that the product keeps in this process; empty where it keeps none. */
  default Optional<GridMetrics> metrics() {
    return Optional.empty();
  }

  /** Stops the server; no process of it remains. */
  @Override
  void close();
}
