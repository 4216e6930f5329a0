package io.pyrometer.driver;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A server in this JVM.
 *
 * @param clientAddress host:port where clients connect; empty where they join as servers do
 * @param facts the configuration as read back from the running server, apart from the heap
 * @param members the servers that this one sees
 * @param joined whether so many servers form one grid that can be used; called repeatedly
 */
public record JvmServer(
    Optional<String> clientAddress,
    Supplier<Map<String, String>> facts,
    IntSupplier members,
    IntPredicate joined,
    Runnable stop)
    implements RunningServer {

  @Override
  public Map<String, String> configuration() {
    Map<String, String> all = new TreeMap<>(facts.get());
    all.put("server.max-heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    return all;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> joined.test(servers))) {
      throw GridException.of(
          "Only %d of %d servers joined with all copies of their data within %d s.",
          members.getAsInt(), servers, timeout.toSeconds());
    }
  }

  @Override
  public void close() {
    stop.run();
  }
}
