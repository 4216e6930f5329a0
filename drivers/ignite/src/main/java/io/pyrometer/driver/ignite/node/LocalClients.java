package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.ConnectedProcesses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;

/** The clients of a cluster on this machine, by the ids of their processes. */
public final class LocalClients {

  private LocalClients() {}

  /**
   * Thick clients as the topology names them, also those of other users and systems; thin clients
   * by their connections to the servers, where {@link ConnectedProcesses} finds them. A thick
   * client that has joined just now, whose metrics have not arrived, is left out.
   */
  public static Set<Long> of(Ignite ignite) {
    Set<InetSocketAddress> thin = new HashSet<>();
    for (ClusterNode server : ignite.cluster().forServers().nodes()) {
      Integer port = server.attribute(ClientNode.THIN_PORT);
      boolean here = ServerWatch.isHere(server);
      for (String host : port == null ? Set.<String>of() : server.addresses()) {
        InetAddress address = literal(host);
        // The loopback addresses of another machine are those of this one here.
        if (here || !address.isLoopbackAddress()) {
          thin.add(new InetSocketAddress(address, port));
        }
      }
    }
    Set<Long> clients = new TreeSet<>(ConnectedProcesses.to(thin));
    ignite.cluster().forClients().nodes().stream()
        .filter(client -> client.metrics().getStartTime() > 0)
        .flatMap(client -> ServerWatch.processHere(client).stream())
        .forEach(client -> clients.add(client.pid()));
    return clients;
  }

  private static InetAddress literal(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException notALiteral) {
      return InetAddress.getLoopbackAddress();
    }
  }
}
