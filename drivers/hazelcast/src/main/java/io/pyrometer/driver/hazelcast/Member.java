package io.pyrometer.driver.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A member in this JVM, which listens on its one port for members and clients. */
final class Member implements RunningServer {
  static final String CLUSTER = "pyrometer";
  private static final int EXIT_CODE = 70;

  private final HazelcastInstance instance;
  private final String address;
  private volatile boolean closing;

  private Member(HazelcastInstance instance, String address) {
    this.instance = instance;
    this.address = address;
    instance
        .getLifecycleService()
        .addLifecycleListener(
            event -> {
              if (event.getState() == LifecycleState.SHUTDOWN && !closing) {
                System.err.println("The Hazelcast member shut itself down.");
                Runtime.getRuntime().halt(EXIT_CODE);
              }
            });
  }

  static RunningServer start(Command.StartServer spec) {
    CommonPool.raise();
    Settings settings = new HazelcastDriver().describe().complete(spec.settings());
    String address = spec.peers().get(spec.index());
    String host = Address.host(address);
    Config config = new Config().setClusterName(CLUSTER).setInstanceName("member-" + spec.index());
    Map.of(
            "hazelcast.operation.fail.on.indeterminate.state", "true",
            "hazelcast.phone.home.enabled", "false",
            "hazelcast.shutdownhook.enabled", "false",
            "hazelcast.socket.bind.any", "false",
            "hazelcast.socket.server.bind.any", "false",
            "hazelcast.wait.seconds.before.join", "0",
            "hazelcast.partition.count", settings.get(HazelcastDriver.PARTITIONS).toString())
        .forEach(config::setProperty);
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(spec.ports().get(0)).setPortAutoIncrement(false).setPublicAddress(address);
    network.getInterfaces().setEnabled(true).addInterface(host);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true).setMembers(spec.peers());
    try {
      return new Member(Hazelcast.newHazelcastInstance(config), address);
    } catch (HazelcastException | IllegalStateException failure) {
      String why = String.valueOf(failure.getMessage());
      throw why.contains("already in use") || why.contains("Address already")
          ? new PortTakenException(why, failure)
          : new GridException("The Hazelcast member did not start: " + why, failure);
    }
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(address);
  }

  @Override
  public Map<String, String> configuration() {
    return configuration(instance);
  }

  /** What a member says of itself. */
  static Map<String, String> configuration(HazelcastInstance instance) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("server.version", instance.getCluster().getLocalMember().getVersion().toString());
    facts.put(
        "server.partitions", String.valueOf(instance.getPartitionService().getPartitions().size()));
    facts.put(
        "server.phone-home", instance.getConfig().getProperty("hazelcast.phone.home.enabled"));
    facts.put("server.common-pool", CommonPool.parallelism());
    facts.put("server.max-heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    return facts;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> isComplete(servers))) {
      throw new GridException(
          "The Hazelcast member at %s sees %d of %d members after %d s."
              .formatted(
                  address,
                  instance.getCluster().getMembers().size(),
                  servers,
                  timeout.toSeconds()));
    }
  }

  private boolean isComplete(int servers) {
    return instance.getCluster().getMembers().size() >= servers
        && instance.getPartitionService().isClusterSafe();
  }

  @Override
  public void close() {
    closing = true;
    instance.getLifecycleService().terminate();
  }
}
