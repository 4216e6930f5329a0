package io.pyrometer.driver;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;

/**
 * A server that is one native process.
 *
 * @param process that is ready
 * @param address host:port where clients connect
 * @param configuration as read back from the running server
 * @param joined whether so many servers form one grid; asked repeatedly
 */
public record NativeServer(
    NativeProcess process, String address, Map<String, String> configuration, IntPredicate joined)
    implements RunningServer {
  public NativeServer {
    configuration = Map.copyOf(configuration);
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(address);
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> joined.test(servers))) {
      throw GridException.of(
          "The server at %s did not form a grid of %d servers within %d s.",
          address, servers, timeout.toSeconds());
    }
  }

  @Override
  public List<Long> processIds() {
    return List.of(process.pid());
  }

  @Override
  public CompletableFuture<String> ended() {
    return process.ended();
  }

  @Override
  public void close() {
    process.close();
  }
}
