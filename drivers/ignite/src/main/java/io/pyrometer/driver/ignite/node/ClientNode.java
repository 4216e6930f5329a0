package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;

/** The thick client of an agent, and where thin clients of the same grid connect. */
public final class ClientNode implements AutoCloseable {
  private static final String THIN_PORT = "clientListenerPort";

  /** What a server answers to a client of another version. */
  private static final Pattern OTHER_VERSION =
      Pattern.compile("different version numbers.*locBuildVer=([^,\\]]+), rmtBuildVer=([^,\\]]+)");

  private static final String OTHER_PEER_CLASS_LOADING =
      "peer class loading enabled flag different from local";

  private final Ignite ignite;
  private final boolean attached;
  private final boolean ownConfiguration;
  private final Supplier<ClientConfiguration> thin;

  private ClientNode(
      Ignite ignite,
      boolean attached,
      boolean ownConfiguration,
      Supplier<ClientConfiguration> thin) {
    this.ignite = ignite;
    this.attached = attached;
    this.ownConfiguration = ownConfiguration;
    this.thin = thin;
  }

  /**
   * Joins the grid as a client.
   *
   * @throws GridException if the grid cannot be joined
   */
  public static ClientNode join(Command.OpenSession spec) {
    Supplier<ClientConfiguration> thin =
        spec.config().map(ThinClientFile::read).orElse(ClientConfiguration::new);
    try {
      return new ClientNode(start(spec), spec.attached(), spec.config().isPresent(), thin);
    } catch (IgniteException e) {
      throw new GridException(whyNot(spec.peers(), GridException.cause(e)), e);
    }
  }

  /** Peer class loading must be as in the grid, and a client learns that when it is refused. */
  private static Ignite start(Command.OpenSession spec) {
    IgniteConfiguration configuration = Configurations.client(spec);
    boolean peers = configuration.isPeerClassLoadingEnabled();
    try {
      return Ignition.start(configuration);
    } catch (IgniteException refused) {
      if (!GridException.cause(refused).contains(OTHER_PEER_CLASS_LOADING)) {
        throw refused;
      }
      return Ignition.start(Configurations.client(spec).setPeerClassLoadingEnabled(!peers));
    }
  }

  static String whyNot(List<String> peers, String cause) {
    Matcher versions = OTHER_VERSION.matcher(cause);
    return versions.find()
        ? "The grid is Ignite %1$s, which clients of %2$s cannot join: set 'product-version: %1$s' in the grid."
            .formatted(versions.group(1), versions.group(2))
        : "No Ignite grid could be joined %s: %s."
            .formatted(
                peers.isEmpty()
                    ? "where its configuration looks for one"
                    : "at " + String.join(", ", peers),
                cause);
  }

  public Ignite ignite() {
    return ignite;
  }

  /** Whether the servers have Pyrometer's classes, as those have that Pyrometer started. */
  public boolean serversKnowUs() {
    return !attached;
  }

  /** Whether the user's own file configures the nodes' memory and storage. */
  public boolean ownConfiguration() {
    return ownConfiguration;
  }

  /** What every thin client begins with: the bean of the user's file, if there is one. */
  public ClientConfiguration thinClient() {
    return thin.get();
  }

  /** host:port of every server that listens to thin clients, as the servers themselves say. */
  public String[] thinAddresses() {
    List<String> addresses =
        ignite.cluster().forServers().nodes().stream()
            .filter(node -> node.attribute(THIN_PORT) != null)
            .flatMap(
                node ->
                    node.addresses().stream().map(host -> host + ":" + node.attribute(THIN_PORT)))
            .toList();
    if (addresses.isEmpty()) {
      throw new GridException(
          "No server of the grid listens for thin clients: enable the client connector.");
    }
    return addresses.toArray(String[]::new);
  }

  @Override
  public void close() {
    Ignition.stop(ignite.name(), true);
  }
}
