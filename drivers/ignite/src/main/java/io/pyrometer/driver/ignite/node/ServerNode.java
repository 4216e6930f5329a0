package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.Ports;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.internal.util.typedef.X;

/**
 * A server node in this JVM, on loopback, that knows the addresses of its peers.
 *
 * @param activates whether it is the first node
 */
public record ServerNode(Ignite ignite, boolean activates, Optional<String> clientAddress)
    implements RunningServer {
  /**
   * Starts a server on its reserved ports: the first for discovery, the second for thin clients.
   *
   * @throws PortTakenException if another process has one of the ports
   * @throws GridException if the configuration is wrong
   */
  public static ServerNode start(Command.StartServer spec) {
    try {
      Ignite ignite = Ignition.start(Configurations.server(spec));
      return new ServerNode(
          ignite,
          spec.index() == 0,
          Optional.of(Address.host(spec.peers().get(spec.index())) + ":" + spec.ports().get(1)));
    } catch (IgniteException e) {
      throw failed(spec, e);
    }
  }

  /**
   * Starts one more server, on free ports of this machine, beside others.
   *
   * @param others host:port of each of them; empty for a node of its own
   * @param workFolder where the server may write
   * @throws GridException if the configuration is wrong
   */
  public static ServerNode join(List<String> others, String workFolder, Settings settings) {
    String address = Configurations.facing(others);
    List<Integer> ports = List.of(Ports.free(address), Ports.free(address));
    List<String> peers = new ArrayList<>(others);
    peers.add(address + ":" + ports.get(0));
    return start(
        new Command.StartServer(
            others.size(), peers.size(), ports, peers, Optional.empty(), workFolder, settings));
  }

  private static GridException failed(Command.StartServer spec, IgniteException e) {
    // Discovery says so in words alone.
    boolean taken =
        X.hasCause(e, BindException.class) || GridException.cause(e).startsWith("Failed to bind");
    return taken
        ? new PortTakenException(
            "Ignite server %d found one of its ports %s taken."
                .formatted(spec.index(), spec.ports()),
            e)
        : GridException.of(
            "Ignite server %d did not start: %s.", spec.index(), GridException.cause(e), e);
  }

  @Override
  public Map<String, String> configuration() {
    return GridConfiguration.ofNode(ignite);
  }

  /** The first node also switches statistics of caches on, for all. */
  @Override
  public Optional<GridMetrics> metrics() {
    return Optional.of(new NodeMetrics(ignite, activates));
  }

  @Override
  public Optional<Long> storedBytes() {
    return new NodeMetrics(ignite, false).storedBytes().stream().boxed().findFirst();
  }

  /** The first node also activates the cluster, which one with persistence does not do itself. */
  @Override
  public void awaitServers(int servers, Duration timeout) {
    if (!Poll.until(timeout, () -> complete(servers))) {
      throw GridException.of(
          "Only %d of %d Ignite nodes joined within %d s.",
          ignite.cluster().forServers().nodes().size(), servers, timeout.toSeconds());
    }
  }

  private boolean complete(int servers) {
    if (ignite.cluster().forServers().nodes().size() < servers) {
      return false;
    }
    if (ignite.cluster().state() == ClusterState.ACTIVE) {
      return true;
    }
    if (activates) {
      ignite.cluster().state(ClusterState.ACTIVE);
    }
    return false;
  }

  @Override
  public void close() {
    Ignition.stop(ignite.name(), true);
  }
}
