package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.failure.NoOpFailureHandler;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** Nodes of Ignite in the JVM of a test, whose messages can be disturbed. */
final class EmbeddedGrid implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Ports that tests in other JVMs neither use nor look at, since addresses of stopped nodes stay
   * known for a while: whatever listens there by then would be joined.
   */
  private static final int LOCAL_PORT = 20_000 + (int) (ProcessHandle.current().pid() % 100) * 100;

  private final Path folder;
  private final UnaryOperator<IgniteConfiguration> settings;

  /** Shared by the nodes of this JVM, so that tests of other JVMs do not join them. */
  private final TcpDiscoveryVmIpFinder addresses = new TcpDiscoveryVmIpFinder(true);

  private final List<Ignite> nodes = new CopyOnWriteArrayList<>();

  /**
   * A grid without nodes.
   *
   * @param settings applied to the configuration of each node
   */
  EmbeddedGrid(Path folder, UnaryOperator<IgniteConfiguration> settings) {
    this.folder = folder;
    this.settings = settings;
  }

  /** The running nodes, by name. */
  List<Ignite> nodes() {
    return nodes.stream().sorted(Comparator.comparing(Ignite::name)).toList();
  }

  List<Ignite> servers() {
    return nodes().stream().filter(node -> !node.configuration().isClientMode()).toList();
  }

  private IgniteConfiguration configuration(String name, boolean persistent) {
    DataRegionConfiguration region =
        new DataRegionConfiguration().setPersistenceEnabled(persistent).setMaxSize(64L << 20);
    return new IgniteConfiguration()
        .setIgniteInstanceName(name)
        .setConsistentId(name)
        .setLocalHost("127.0.0.1")
        .setWorkDirectory(folder.resolve(name).toString())
        .setFailureHandler(new NoOpFailureHandler())
        .setConnectorConfiguration(null)
        .setClientConnectorConfiguration(null)
        .setDataStorageConfiguration(
            new DataStorageConfiguration()
                .setDefaultDataRegionConfiguration(region)
                .setWalSegmentSize(4 << 20)
                .setWalSegments(3))
        .setCommunicationSpi(new FaultyCommunication())
        .setDiscoverySpi(new TcpDiscoverySpi().setLocalPort(LOCAL_PORT).setIpFinder(addresses));
  }

  Ignite server(int number, boolean persistent) {
    return node(configuration("server-" + number, persistent));
  }

  Ignite client() {
    return node(configuration("client", false).setClientMode(true));
  }

  private Ignite node(IgniteConfiguration configuration) {
    Ignite started = Ignition.start(settings.apply(configuration));
    nodes.add(started);
    return started;
  }

  /** Stops a node gracefully. */
  void stop(Ignite node) {
    nodes.remove(node);
    Ignition.stop(node.name(), false);
  }

  /** Ends nodes at once as if their processes were killed, and returns when the others know. */
  void kill(List<Ignite> killed) {
    killed.forEach(node -> communication(node).cut());
    killed.forEach(
        node -> ((TcpDiscoverySpi) node.configuration().getDiscoverySpi()).simulateNodeFailure());
    nodes.removeAll(killed);
    List<UUID> ids = killed.stream().map(node -> node.cluster().localNode().id()).toList();
    await(
        () ->
            nodes.stream()
                .flatMap(node -> node.cluster().nodes().stream())
                .noneMatch(node -> ids.contains(node.id())));
    killed.forEach(node -> Ignition.stop(node.name(), true));
  }

  static FaultyCommunication communication(Ignite node) {
    return (FaultyCommunication) node.configuration().getCommunicationSpi();
  }

  /**
   * Returns when the cluster is older in seconds than it has had changes of its topology.
   *
   * <p>Versions of entries count these changes and the seconds from 2014 to the start of the
   * cluster together. Where a cluster starts again sooner than it had changes, its versions are
   * older than those of its data.
   */
  void awaitFewerChangesThanSeconds() {
    IgniteEx first = (IgniteEx) servers().get(0);
    long started = first.context().discovery().gridStartTime();
    await(
        () ->
            (System.currentTimeMillis() - started) / 1_000
                > first.context().discovery().topologyVersion() + 2);
  }

  Ignite of(ClusterNode node) {
    return nodes.stream()
        .filter(each -> each.cluster().localNode().id().equals(node.id()))
        .findAny()
        .orElseThrow();
  }

  static void await(BooleanSupplier condition) {
    assertThat(Poll.until(PATIENCE, condition)).isTrue();
  }

  /** Returns when all servers hold all of their copies, as every server sees it. */
  void awaitRebalanced(String cache) {
    await(() -> isRebalanced(cache));
  }

  boolean isRebalanced(String cache) {
    List<Ignite> servers = servers();
    return servers.stream().allMatch(node -> isComplete(node, cache, servers.size()));
  }

  private static boolean isComplete(Ignite node, String cache, int servers) {
    var map =
        ((IgniteEx) node)
            .context()
            .cache()
            .internalCache(cache)
            .context()
            .topology()
            .partitionMap(false);
    return map.size() == servers && map.values().stream().noneMatch(it -> it.hasMovingPartitions());
  }

  /** Each server's own copy of a key, or null where it has none. */
  Map<String, Object> copies(String cache, int key) {
    Map<String, Object> copies = new TreeMap<>();
    for (Ignite node : servers()) {
      copies.put(
          node.name(),
          node.<Integer, Object>cache(cache)
              .localPeek(key, CachePeekMode.PRIMARY, CachePeekMode.BACKUP));
    }
    return copies;
  }

  @Override
  public void close() {
    nodes.forEach(node -> Ignition.stop(node.name(), true));
  }
}
