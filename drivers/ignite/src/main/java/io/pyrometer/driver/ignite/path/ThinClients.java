package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Random;
import org.apache.ignite.configuration.ClientConfiguration;

/**
 * How the thin clients of one trial and agent connect.
 *
 * <p>A client that is not aware of partitions talks to one node alone. Given the addresses of all,
 * Ignite 2.17 takes the one with the lowest port, and on one host, where every node has a port of
 * its own, all clients end on the same node; {@code thin-addresses: one} spreads them.
 */
public final class ThinClients {
  private static final String AWARE = "partition-awareness";
  private static final String ADDRESSES = "thin-addresses";

  static final List<SettingDescription> SETTINGS =
      List.of(
          SettingDescription.flag(
              AWARE,
              Scope.LOAD,
              true,
              "Whether a thin client sends requests to the node that holds the key, or"
                  + " all requests to one node."),
          SettingDescription.choice(
              ADDRESSES,
              Scope.LOAD,
              List.of("all", "one"),
              "Whether a thin client gets the addresses of all nodes, or of one node"
                  + " drawn at random for each client."),
          SettingDescription.flag(
                  "client-relay",
                  Scope.LOAD,
                  false,
                  "Whether thin clients use Pyrometer's relay even if it adds nothing.")
              .ofServers(),
          number(
              "client-delay",
              SettingDescription.Type.SECONDS,
              10,
              "Delay that the relay adds in each direction."),
          number(
              "client-jitter",
              SettingDescription.Type.SECONDS,
              10,
              "Added to the delay, drawn uniformly from 0 to this value for each piece"
                  + " forwarded."),
          number(
              "client-rate",
              SettingDescription.Type.RATE,
              1e12,
              "Bits per second in each direction, for all thin clients together; 0 for"
                  + " no limit."),
          number(
              "client-loss",
              SettingDescription.Type.SHARE,
              0.5,
              "Share of segments after which a connection is delayed as by a"
                  + " retransmission."));

  private static SettingDescription number(
      String name, SettingDescription.Type type, double most, String summary) {
    return SettingDescription.numeric(name, type, Scope.LOAD, 0.0, 0, most, summary).ofServers();
  }

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
  public ThinClients(ClientNode agent, TrialSpec trial, List<String> relays) {
    this.agent = agent;
    this.settings = trial.settings();
    this.relayed = !relays.isEmpty();
    this.addresses =
        relayed
            ? relays.toArray(String[]::new)
            : settings.has(AWARE) ? agent.thinAddresses() : new String[0];
    this.random = new Random(31 * trial.seed() + agent.ignite().name().hashCode());
  }

  /**
   * Of the next client; clients are opened one after the other. Through relays a client must not
   * ask the cluster for its addresses, which lead past them; so one that is aware of partitions is
   * told all relays even where it would be told one node.
   */
  ClientConfiguration next() {
    opened++;
    boolean aware = settings.flag(AWARE);
    boolean one = settings.text(ADDRESSES).equals("one") && !(relayed && aware);
    return agent
        .thinClient()
        .setAddresses(one ? drawn() : addresses)
        .setClusterDiscoveryEnabled(!relayed)
        .setPartitionAwarenessEnabled(aware);
  }

  private String[] drawn() {
    return new String[] {addresses[random.nextInt(addresses.length)]};
  }

  /** How many connections the clients opened so far should hold together. */
  public int connections() {
    return opened == 0 ? 0 : opened * (settings.flag(AWARE) ? addresses.length : 1);
  }
}
