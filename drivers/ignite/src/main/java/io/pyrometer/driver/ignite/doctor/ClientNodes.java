package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.protocol.Daemon;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/** Questions to nodes that may be many, or silent: side by side, and for a limited time. */
final class ClientNodes {
  private static final String PORT = "TcpCommunicationSpi.comm.tcp.port";
  private static final int CONNECT_MILLIS = 500;
  private static final int AT_ONCE = 8;

  /** For all of them: clients may be many, and some behind a firewall. */
  private static final int SECONDS = 5;

  private ClientNodes() {}

  /** The answers of all client nodes; empty of those that cannot be reached. */
  static <T> Map<ClusterNode, Optional<T>> ask(Ignite ignite, Function<ClusterNode, T> question) {
    return ask(ignite, late -> {}, question);
  }

  /**
   * As the other.
   *
   * @param late gets those that accept a connection and do not answer in time
   */
  static <T> Map<ClusterNode, Optional<T>> ask(
      Ignite ignite, Consumer<ClusterNode> late, Function<ClusterNode, T> question) {
    return ask(
        ignite.cluster().forClients().nodes(),
        SECONDS,
        late,
        client -> {
          if (!client.isLocal() && !reachable(ignite, client)) {
            throw new IgniteException("The client cannot be reached.");
          }
          return question.apply(client);
        });
  }

  /** The answers of nodes; empty of those that failed, or did not answer in time. */
  static <T> Map<ClusterNode, Optional<T>> ask(
      Collection<ClusterNode> nodes,
      int seconds,
      Consumer<ClusterNode> late,
      Function<ClusterNode, T> question) {
    ExecutorService threads =
        Executors.newFixedThreadPool(AT_ONCE, Daemon.factory("pyrometer-questions"));
    Map<ClusterNode, CompletableFuture<Optional<T>>> asked = new LinkedHashMap<>();
    for (ClusterNode node : nodes) {
      asked.put(
          node,
          CompletableFuture.supplyAsync(() -> Optional.of(question.apply(node)), threads)
              .orTimeout(seconds, TimeUnit.SECONDS)
              .exceptionally(
                  silent -> {
                    if (silent instanceof TimeoutException) {
                      late.accept(node);
                    }
                    return Optional.empty();
                  }));
    }
    Map<ClusterNode, Optional<T>> answers = new LinkedHashMap<>();
    asked.forEach((node, answer) -> answers.put(node, answer.join()));
    threads.shutdownNow();
    return answers;
  }

  /**
   * Tried first, because Ignite tries for up to half a minute, and ZooKeeper's discovery examines
   * the connections of the whole cluster when it fails.
   */
  private static boolean reachable(Ignite ignite, ClusterNode client) {
    return ignite.configuration().getDiscoverySpi() instanceof TcpDiscoverySpi
        && client.<Object>attribute(PORT) instanceof Integer port
        && port > 0
        && client.addresses().stream().anyMatch(address -> listens(address, port));
  }

  private static boolean listens(String address, int port) {
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      return true;
    } catch (IOException unreachable) {
      return false;
    }
  }
}
