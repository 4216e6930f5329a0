package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

/** Addresses on this machine. */
final class LocalAddresses {
  static final String LOOPBACK = "127.0.0.1";

  private LocalAddresses() {}

  /** A port that is free now; others may take it before it is used. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new GridException("No free port on " + LOOPBACK + ": close other programs.", e);
    }
  }

  /** The host of {@code host:port}. */
  static String host(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  /** The address of this machine that the grid sees: loopback unless the grid is elsewhere. */
  static String facing(List<String> peers) {
    String peer = peers.isEmpty() ? LOOPBACK : peers.get(0);
    String host = host(peer);
    try (DatagramSocket probe = new DatagramSocket()) {
      InetAddress remote = InetAddress.getAllByName(host)[0];
      if (remote.isLoopbackAddress()) {
        return LOOPBACK;
      }
      probe.connect(new InetSocketAddress(remote, 47_500));
      return probe.getLocalAddress().getHostAddress();
    } catch (SocketException | UnknownHostException e) {
      throw new GridException(
          "The grid's address '" + peer + "' cannot be reached: check host and port.", e);
    }
  }
}
