package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.SystemDataRegionConfiguration;
import org.apache.ignite.logger.NullLogger;
import org.apache.ignite.logger.java.JavaLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/**
 * One server node in a JVM of its own; stops gracefully when a byte comes on its standard input,
 * and at once when that ends.
 */
final class ServerProcess {
  static final int MOST_NODES = 8;

  private ServerProcess() {}

  /**
   * Arguments: the first port, the number of this node from 0, its thin clients' threads, and the
   * milliseconds after which it closes an idle connection of a thin client; 0 for never.
   */
  public static void main(String[] args) throws IOException {
    int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    Ignite node = Ignition.start(server(numbers[0], numbers[1], numbers[2], numbers[3]));
    System.out.println("READY " + node.cluster().localNode().id());
    if (System.in.read() >= 0) {
      node.close();
    }
    Runtime.getRuntime().halt(0);
  }

  static int thinPort(int firstPort, int node) {
    return firstPort + 3 * MOST_NODES + node;
  }

  private static IgniteConfiguration server(
      int firstPort, int node, int thinThreads, int idleMillis) {
    DataRegionConfiguration region =
        new DataRegionConfiguration().setInitialSize(64L << 20).setMaxSize(512L << 20);
    return common(firstPort, "server-" + node, new TcpDiscoverySpi(), new TcpCommunicationSpi())
        .setDataStorageConfiguration(
            new DataStorageConfiguration()
                .setSystemDataRegionConfiguration(
                    new SystemDataRegionConfiguration()
                        .setInitialSize(10L << 20)
                        .setMaxSize(64L << 20))
                .setDefaultDataRegionConfiguration(region))
        .setClientConnectorConfiguration(
            new ClientConnectorConfiguration()
                .setHost("127.0.0.1")
                .setPort(thinPort(firstPort, node))
                .setThreadPoolSize(thinThreads)
                .setIdleTimeout(idleMillis)
                .setPortRange(0));
  }

  /** A thick client; its log goes where java.util.logging sends it, its discovery can be cut. */
  static IgniteConfiguration client(
      int firstPort, String name, TcpDiscoverySpi discovery, TcpCommunicationSpi communication) {
    return common(firstPort, name, discovery, communication)
        .setClientMode(true)
        .setGridLogger(new JavaLogger());
  }

  private static IgniteConfiguration common(
      int firstPort, String name, TcpDiscoverySpi discovery, TcpCommunicationSpi communication) {
    String range = "127.0.0.1:" + firstPort + ".." + (firstPort + MOST_NODES - 1);
    return new IgniteConfiguration()
        .setIgniteInstanceName(name)
        .setLocalHost("127.0.0.1")
        .setConnectorConfiguration(null)
        .setMetricsLogFrequency(0)
        .setGridLogger(new NullLogger())
        .setFailureDetectionTimeout(15_000) // of servers, which a busy machine must not part
        .setClientFailureDetectionTimeout(5_000)
        .setDiscoverySpi(
            discovery
                .setLocalPort(firstPort)
                .setLocalPortRange(MOST_NODES)
                .setReconnectDelay(200) // of servers that start at the same time
                .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(List.of(range))))
        .setCommunicationSpi(
            communication.setLocalPort(firstPort + MOST_NODES).setLocalPortRange(2 * MOST_NODES));
  }
}
