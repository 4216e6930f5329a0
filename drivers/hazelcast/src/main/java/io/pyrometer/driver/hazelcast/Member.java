package io.pyrometer.driver.hazelcast;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryYamlConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.spi.properties.ClusterProperty;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JvmServer;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.PropertyTree;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;

/** A member in this JVM, which listens on its one port for members and clients. */
final class Member {
  static final String CLUSTER = "pyrometer";

  /** Prefix of Hazelcast's system properties. */
  static final String SYSTEM = "hazelcast.";

  private static final String STATISTICS = "statistics-enabled";

  /** By default 5 s, which a backup on a busy machine may exceed without being gone. */
  static final String BACKUP_TIMEOUT_MILLIS = "60000";

  private static final int EXIT_CODE = 70;

  private static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";

  private Member() {}

  /**
   * Hazelcast completes asynchronous calls, those inside putAll among them, on the JVM's common
   * pool, and Java starts a thread for each completion where that pool has a parallelism of one, as
   * it has on two cores. Bulk writes are up to ten times slower then, so the pool gets two threads.
   * Has an effect before anything has used the pool.
   */
  static void raiseCommonPool() {
    if (Runtime.getRuntime().availableProcessors() <= 2
        && System.getProperty(COMMON_POOL) == null) {
      System.setProperty(COMMON_POOL, "2");
    }
  }

  static RunningServer start(Command.StartServer spec) {
    raiseCommonPool();
    Settings settings = spec.settings();
    String address = spec.peers().get(spec.index());
    String host = Address.host(address);
    Config config =
        configuration(settings).setClusterName(CLUSTER).setInstanceName("member-" + spec.index());
    NetworkConfig network = listen(config, settings, host, spec.ports().get(0));
    network.setPublicAddress(address);
    network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(spec.peers());
    config.setProperty("hazelcast.operation.backup.timeout.millis", BACKUP_TIMEOUT_MILLIS);
    config.setProperty(
        ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE.getName(),
        settings.get(HazelcastDriver.FAIL_ON_INDETERMINATE).toString());
    settings.properties().entrySet().stream()
        .filter(each -> each.getKey().startsWith(SYSTEM))
        .forEach(each -> config.setProperty(each.getKey(), each.getValue()));
    try {
      return server(Hazelcast.newHazelcastInstance(config), address);
    } catch (HazelcastException | IllegalStateException failure) {
      String why = String.valueOf(failure.getMessage());
      throw why.contains("already in use") || why.contains("Address already")
          ? new PortTakenException(why, failure)
          : new GridException(
              "The Hazelcast member did not start: " + GridException.withProperties(why, settings),
              failure);
    }
  }

  /** Has a member listen on one port, and look for no other member by itself. */
  static NetworkConfig listen(Config config, Settings settings, String host, int port) {
    Map.of(
            "hazelcast.phone.home.enabled", "false",
            "hazelcast.shutdownhook.enabled", "false",
            "hazelcast.socket.bind.any", "false",
            "hazelcast.socket.server.bind.any", "false",
            "hazelcast.wait.seconds.before.join", "0",
            "hazelcast.partition.count", settings.get(HazelcastDriver.PARTITIONS).toString())
        .forEach(config::setProperty);
    NetworkConfig network = config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(host);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    return network;
  }

  /** Configuration from the options that are keys of Hazelcast's YAML, not system properties. */
  static Config configuration(Settings settings) {
    Map<String, String> keys = new TreeMap<>(settings.properties());
    keys.keySet().removeIf(name -> name.startsWith(SYSTEM));
    return keys.isEmpty() ? new Config() : of(PropertyTree.of(keys), settings);
  }

  /** The configuration of a map by its options, which are keys of Hazelcast's YAML. */
  static MapConfig map(String name, Settings settings) {
    ObjectNode map = PropertyTree.of(settings.cacheProperties());
    if (!map.has(STATISTICS)) {
      map.put(STATISTICS, false);
    }
    ObjectNode root = Json.LINES.createObjectNode();
    root.withObject("/map").set(name, map);
    return of(root, settings).getMapConfig(name);
  }

  private static Config of(ObjectNode hazelcast, Settings settings) {
    try {
      return new InMemoryYamlConfig(
          Json.LINES.createObjectNode().set("hazelcast", hazelcast).toString());
    } catch (HazelcastException | IllegalArgumentException refused) {
      throw new GridException(
          "Hazelcast refused its configuration: "
              + GridException.withProperties(GridException.cause(refused), settings),
          refused);
    }
  }

  private static RunningServer server(HazelcastInstance instance, String address) {
    AtomicBoolean closing = new AtomicBoolean();
    UUID unused =
        instance
            .getLifecycleService()
            .addLifecycleListener(
                event -> {
                  if (event.getState() == LifecycleState.SHUTDOWN && !closing.get()) {
                    System.err.println("The Hazelcast member shut itself down.");
                    Runtime.getRuntime().halt(EXIT_CODE);
                  }
                });
    return new JvmServer(
        Optional.of(address),
        () -> configuration(instance),
        () -> instance.getCluster().getMembers().size(),
        servers ->
            instance.getCluster().getMembers().size() >= servers
                && instance.getPartitionService().isClusterSafe(),
        () -> {
          closing.set(true);
          // Hands its partitions over, which terminate() does not.
          instance.shutdown();
        });
  }

  /** Configuration that a member reports. */
  static Map<String, String> configuration(HazelcastInstance instance) {
    Map<String, String> facts = new TreeMap<>();
    instance
        .getConfig()
        .getProperties()
        .forEach((name, value) -> facts.put("properties." + name, value.toString()));
    facts.put("server.version", instance.getCluster().getLocalMember().getVersion().toString());
    facts.put(
        "server.partitions", String.valueOf(instance.getPartitionService().getPartitions().size()));
    facts.put(
        "server.phone-home", instance.getConfig().getProperty("hazelcast.phone.home.enabled"));
    facts.put("server.common-pool", String.valueOf(ForkJoinPool.getCommonPoolParallelism()));
    return facts;
  }
}
