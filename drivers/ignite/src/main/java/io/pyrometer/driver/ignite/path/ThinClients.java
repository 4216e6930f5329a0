package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.spi.systemview.view.ClientConnectionView;
import org.apache.ignite.spi.systemview.view.SystemView;

/**
 * How the thin clients of one trial and agent connect.
 *
 * <p>A client that is not aware of partitions talks to one node alone. Given the addresses of all,
 * Ignite 2.17 takes the one with the lowest port, and on one host, where every node has a port of
 * its own, all clients end on the same node; {@code thin-addresses: one} spreads them.
 *
 * <p>A server's threads may execute the calls of a thin client in another order, so that either of
 * two writes to a key may remain: asynchronous puts of a thin client promise no order.
 */
final class ThinClients {

  private static final SettingKey<String> ADDRESSES = GridSettings.DECLARED.text("thin-addresses");
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private final boolean relayed;
  private final String[] addresses;
  private final ClientNode agent;
  private final Settings settings;
  private final Random random;
  private int opened;

  /**
   * @param trial with complete settings
   * @param relays one before each node, to be connected to in its place; empty for none
   */
  ThinClients(ClientNode agent, TrialSpec trial, List<String> relays) {
    this.agent = agent;
    this.settings = trial.settings();
    this.relayed = !relays.isEmpty();
    this.addresses =
        relayed
            ? relays.toArray(String[]::new)
            : settings.has(PathSettings.PARTITION_AWARENESS)
                ? agent.thinAddresses()
                : new String[0];
    this.random = new Random(31 * trial.seed() + agent.ignite().name().hashCode());
  }

  /**
   * Configuration of the next client; clients are opened one after the other. Through relays a
   * client must not ask the cluster for its addresses, which lead past them; so one that is aware
   * of partitions is told all relays even where it would be told one node.
   */
  ClientConfiguration next() {
    opened++;
    boolean aware = settings.get(PathSettings.PARTITION_AWARENESS);
    boolean one = settings.get(ADDRESSES).equals("one") && !(relayed && aware);
    ClientConfiguration client =
        agent
            .thin()
            .get()
            .setAddresses(
                one ? new String[] {addresses[random.nextInt(addresses.length)]} : addresses)
            .setPartitionAwarenessEnabled(aware);
    try {
      return relayed ? client.setClusterDiscoveryEnabled(false) : client;
    } catch (NoSuchMethodError older) {
      throw new GridException(
          "Thin clients behind a relay (client-delay …) need Ignite 2.15 or newer.", older);
    }
  }

  /**
   * Waits for the connections of the clients opened so far, which open all but their first in the
   * background. Their number is the one thing that tells from outside whether clients are aware of
   * partitions, for only then each holds one to every node.
   *
   * @return their number; empty where there are no clients
   * @throws GridException if there are more or fewer than expected
   */
  Optional<Integer> connections() {
    if (opened == 0) {
      return Optional.empty();
    }
    int expected = opened * (settings.get(PathSettings.PARTITION_AWARENESS) ? addresses.length : 1);
    if (!Poll.until(LONGEST_WAIT, () -> connected() == expected)) {
      throw GridException.of(
          "Thin clients hold %d connections to the servers, not %d, so partition awareness is not"
              + " as the trial asks.",
          connected(), expected);
    }
    return Optional.of(expected);
  }

  private int connected() {
    IgniteCallable<Integer> count = ThinClients::ofThisServer;
    Ignite ignite = agent.ignite();
    return ignite.compute(ignite.cluster().forServers()).broadcast(count).stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  private static int ofThisServer() {
    SystemView<ClientConnectionView> view =
        ((IgniteEx) Ignition.localIgnite()).context().systemView().view("client.connections");
    int thin = 0;
    for (ClientConnectionView connection : Objects.requireNonNull(view)) {
      // Null until the client has said what it is.
      if ("THIN".equals(connection.type())) {
        thin++;
      }
    }
    return thin;
  }
}
