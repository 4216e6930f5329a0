package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/**
 * Statements that client nodes have started. A node has those alone in its history that it started
 * itself, so that servers know nothing of these.
 *
 * @param rows of the histories
 * @param unread names of the client nodes whose history could not be read
 */
record ClientStatements(List<Row> rows, List<String> unread) {
  private static final String PORT = "TcpCommunicationSpi.comm.tcp.port";
  private static final int CONNECT_MILLIS = 500;
  private static final int AT_ONCE = 8;

  /** For all of them: clients may be many, and some behind a firewall. */
  private static final int SECONDS = 5;

  static ClientStatements read(Ignite ignite) {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, ClientStatements::daemon);
    Map<String, Future<List<Row>>> answers = new LinkedHashMap<>();
    for (ClusterNode client : ignite.cluster().forClients().nodes()) {
      answers.put(Observation.name(client), threads.submit(() -> history(ignite, client)));
    }
    List<Row> rows = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    answers.forEach(
        (client, answer) -> {
          try {
            rows.addAll(answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
          } catch (ExecutionException | TimeoutException silent) {
            unread.add(client);
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            unread.add(client);
          }
        });
    threads.shutdownNow();
    return new ClientStatements(rows, unread);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "pyrometer-client-statements");
    thread.setDaemon(true);
    return thread;
  }

  private static List<Row> history(Ignite ignite, ClusterNode client) {
    if (!client.isLocal() && !reachable(ignite, client)) {
      throw new IgniteException("The client cannot be reached.");
    }
    return Observation.rows(ignite, Observation.STATEMENTS, List.of(client));
  }

  /**
   * Tried first, because Ignite tries for up to half a minute, and ZooKeeper's discovery examines
   * the connections of the whole cluster when it fails.
   */
  private static boolean reachable(Ignite ignite, ClusterNode client) {
    return ignite.configuration().getDiscoverySpi() instanceof TcpDiscoverySpi
        && client.attribute(PORT) instanceof Integer port
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
