package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.infinispan.commons.util.Version;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/** A server in this JVM: a member that holds data, and the Hot Rod endpoint for clients. */
final class HotRodMember implements RunningServer {
  private final DefaultCacheManager manager;
  private final HotRodServer endpoint;
  private final String clients;

  private HotRodMember(DefaultCacheManager manager, HotRodServer endpoint, String clients) {
    this.manager = manager;
    this.endpoint = endpoint;
    this.clients = clients;
  }

  /** Comes back as soon as the server is up; others may still be joining. */
  static RunningServer start(Command.StartServer spec) {
    String address = spec.peers().get(spec.index());
    int clientPort = spec.ports().get(1);
    String host = Address.host(address);
    DefaultCacheManager manager;
    try {
      manager = Members.start("server-" + spec.index(), spec.peers(), address, true, 1);
    } catch (GridException failure) {
      throw portTaken(failure);
    }
    HotRodServer endpoint = new HotRodServer();
    try {
      endpoint.start(
          new HotRodServerConfigurationBuilder()
              .host(host)
              .port(clientPort)
              .proxyHost(host)
              .proxyPort(clientPort)
              .adminOperationsHandler(new Administration())
              .build(),
          manager);
      endpoint.postStart();
    } catch (RuntimeException failure) {
      manager.stop();
      throw portTaken(
          new GridException(
              "The Hot Rod endpoint at %s:%d did not start: %s"
                  .formatted(host, clientPort, GridException.cause(failure)),
              failure));
    }
    return new HotRodMember(manager, endpoint, host + ":" + clientPort);
  }

  private static RuntimeException portTaken(GridException failure) {
    String why = String.valueOf(failure.getMessage());
    return why.contains("in use") || why.contains("No available port")
        ? new PortTakenException(why, failure)
        : failure;
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(clients);
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("server.version", Version.getVersion());
    facts.put(
        "server.zero-capacity",
        String.valueOf(manager.getCacheManagerConfiguration().isZeroCapacityNode()));
    facts.put("server.max-heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    return facts;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> members().size() >= servers)) {
      throw new GridException(
          "The Infinispan server for %s sees %d of %d members after %d s."
              .formatted(clients, members().size(), servers, timeout.toSeconds()));
    }
  }

  private List<?> members() {
    return Optional.<List<?>>ofNullable(manager.getMembers()).orElse(List.of());
  }

  @Override
  public void close() {
    endpoint.stop();
    manager.stop();
  }
}
