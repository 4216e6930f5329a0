package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridMetrics.GridMetric;
import io.pyrometer.driver.JmxAccess;
import io.pyrometer.driver.Ports;
import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.TrialSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that Pyrometer did not start is watched from a client. */
class ServerWatchIT {
  private static final double LEAST_CPU_SECONDS = 0.5;
  private static final double TICKS_A_SECOND = 100;
  private static final int ENTRIES = 2_000;

  @TempDir static Path folder;
  private static StockNode node;
  private static int port;
  private static Ignite client;

  @BeforeAll
  static void start() throws Exception {
    port = Ports.free("127.0.0.1");
    String flags =
        """
        -Dcom.sun.management.jmxremote.port=%1$d -Dcom.sun.management.jmxremote.rmi.port=%1$d
        -Dcom.sun.management.jmxremote.host=127.0.0.1 -Djava.rmi.server.hostname=127.0.0.1
        -Dcom.sun.management.jmxremote.authenticate=false -Dcom.sun.management.jmxremote.ssl=false
        """
            .formatted(port)
            .strip()
            .replace('\n', ' ');
    node = StockNode.start(folder, "", "-XX:+UseSerialGC " + flags, Optional.empty());
    client = Ignition.start(node.client("watching"));
  }

  @AfterAll
  static void stop() {
    try {
      client.close();
    } finally {
      node.close();
    }
  }

  private static double cpuSeconds() throws Exception {
    String line = Files.readString(Path.of("/proc", String.valueOf(node.pid()), "stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_A_SECOND;
  }

  private static Map<String, Double> read(WatchedServer server) {
    return server.metrics().read().stream()
        .collect(Collectors.toMap(GridMetric::name, GridMetric::value));
  }

  @Test
  void whatAServerUsesUnderLoadIsWhatItsHostCounts() throws Exception {
    try (ServerWatch watch = new ServerWatch(client, List.of(), JmxAccess.NONE)) {
      WatchedServers found = watch.servers();
      assertThat(found.unknownUsage()).isEmpty();
      assertThat(found.servers()).hasSize(1);
      WatchedServer server = found.servers().get(0);
      assertThat(server.host()).as("this machine").isEmpty();
      IgniteCache<Integer, byte[]> cache =
          client.createCache(
              new CacheConfiguration<Integer, byte[]>(TrialSpec.CACHE_PREFIX + "watched")
                  .setAffinity(new RendezvousAffinityFunction(false, 16)));
      try {
        Map<String, Double> before = read(server);
        double from = cpuSeconds();
        double used = server.usage().cpuSeconds();
        for (int i = 0; i < ENTRIES || cpuSeconds() - from < LEAST_CPU_SECONDS; i++) {
          cache.put(i % ENTRIES, new byte[1_000]);
        }
        double grown = server.usage().cpuSeconds() - used;
        double counted = cpuSeconds() - from;
        assertThat(grown / counted).isBetween(0.7, 1.4);

        // A stripe counts a task after it has answered.
        Cluster.await(
            () ->
                read(server).get("striped-pool.tasks") - before.get("striped-pool.tasks")
                    >= ENTRIES);
        Map<String, Double> after = read(server);
        assertThat(after.get("data-region.used") - before.get("data-region.used"))
            .isGreaterThan(ENTRIES * 1_000.0);
        assertThat(after).containsKeys("system-pool.queue", "cache.primary-entries");
        assertThat(after.get("heap.used")).isBetween(1e6, 512.0 * (1 << 20));
      } finally {
        cache.destroy();
      }
    }
  }

  @Test
  void anAddressWithoutJmxIsNamedAndTheMetricsAreThereAllTheSame() {
    try (ServerWatch watch = new ServerWatch(client, List.of("127.0.0.1:9"), JmxAccess.NONE)) {
      assertThat(watch.servers().unknownUsage().orElseThrow()).contains("127.0.0.1:9");
      assertThat(read(watch.servers().servers().get(0))).containsKey("striped-pool.queue");
    }
  }

  @Test
  void aServerOfThisMachineIsKnownByItsProcess() {
    assertThat(ServerWatch.processHere(client.cluster().forServers().node()))
        .map(ProcessHandle::pid)
        .contains(node.pid());
  }

  @Test
  void anotherProcessIsNotTakenForAServer() throws Exception {
    int other = Ports.free("127.0.0.1");
    System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    Registry registry = LocateRegistry.createRegistry(other);
    JMXConnectorServer ours =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi".formatted(other)),
            Map.of(),
            ManagementFactory.getPlatformMBeanServer());
    ours.start();
    try (ServerWatch alone =
            new ServerWatch(client, List.of("127.0.0.1:" + other), JmxAccess.NONE);
        ServerWatch both =
            new ServerWatch(
                client, List.of("127.0.0.1:" + other, "127.0.0.1:" + port), JmxAccess.NONE)) {
      assertThat(alone.servers().unknownUsage().orElseThrow()).contains("127.0.0.1:" + other);
      assertThat(both.servers().unknownUsage()).isEmpty();
    } finally {
      ours.stop();
      boolean unused = UnicastRemoteObject.unexportObject(registry, true);
    }
  }
}
