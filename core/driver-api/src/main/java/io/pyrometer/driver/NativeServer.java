package io.pyrometer.driver;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;

/** A server that is one native process. */
public final class NativeServer implements RunningServer {
  private final NativeProcess process;
  private final String clientAddress;
  private final Map<String, String> configuration;
  private final IntPredicate joined;

  /**
   * Takes a process that is ready.
   *
   * @param clientAddress host:port where clients connect
   * @param configuration as read back from the running server
   * @param joined whether so many servers form one grid; asked repeatedly
   */
  public NativeServer(
      NativeProcess process,
      String clientAddress,
      Map<String, String> configuration,
      IntPredicate joined) {
    this.process = process;
    this.clientAddress = clientAddress;
    this.configuration = Map.copyOf(configuration);
    this.joined = joined;
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(clientAddress);
  }

  @Override
  public Map<String, String> configuration() {
    return configuration;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> joined.test(servers))) {
      throw GridException.of(
          "The server at %s did not form a grid of %d servers within %d s.",
          clientAddress, servers, timeout.toSeconds());
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
