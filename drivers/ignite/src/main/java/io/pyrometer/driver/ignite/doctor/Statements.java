package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
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
 * Statements in the histories of all nodes. A node has those alone in its history that it started
 * itself, so that servers know nothing of those of client nodes.
 *
 * @param rows of the histories
 * @param unread names of the client nodes whose history could not be read
 */
record Statements(List<Row> rows, List<String> unread) {
  /** The column of executions during the observation. */
  static final String SINCE = "executionsSince";

  private static final String PORT = "TcpCommunicationSpi.comm.tcp.port";
  private static final int CONNECT_MILLIS = 500;
  private static final int AT_ONCE = 8;

  /** For all of them: clients may be many, and some behind a firewall. */
  private static final int SECONDS = 5;

  static final Statements NONE = new Statements(List.of(), List.of());

  static Statements read(Ignite ignite, List<ClusterNode> servers) {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, Statements::daemon);
    Map<ClusterNode, Future<List<Row>>> answers = new LinkedHashMap<>();
    for (ClusterNode client : ignite.cluster().forClients().nodes()) {
      answers.put(client, threads.submit(() -> history(ignite, client)));
    }
    List<Row> rows = new ArrayList<>(Observation.rows(ignite, Observation.STATEMENTS, servers));
    List<String> unread = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    answers.forEach(
        (client, answer) -> {
          try {
            rows.addAll(answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
          } catch (ExecutionException | TimeoutException silent) {
            unread.add(Observation.name(client));
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            unread.add(Observation.name(client));
          }
        });
    threads.shutdownNow();
    return new Statements(rows, unread);
  }

  /** The rows, each also with the executions since the histories were read before. */
  List<Row> since(Statements before) {
    Map<List<String>, Long> executed = new HashMap<>();
    before.rows.forEach(row -> executed.put(statement(row), executions(row)));
    return rows.stream()
        .map(
            row -> {
              Map<String, String> values = new HashMap<>(row.values());
              long since =
                  before.unread.contains(row.server())
                      ? 0
                      : executions(row) - executed.getOrDefault(statement(row), 0L);
              values.put(SINCE, String.valueOf(Math.max(0, since)));
              return new Row(row.server(), values);
            })
        .toList();
  }

  private static List<String> statement(Row row) {
    return List.of(row.server(), row.get("schemaName"), row.get("local"), row.get("sql"));
  }

  private static long executions(Row row) {
    return Long.parseLong(row.get("executions"));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "pyrometer-statements");
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
