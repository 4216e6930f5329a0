package io.pyrometer.driver;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/** Addresses of servers, as host:port. */
public final class Address {

  private static final String LOOPBACK = "127.0.0.1";
  private static final int ANY_PORT = 47_500;

  private Address() {}

  /** The host of an address; the whole where it names no port. */
  public static String host(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  /** The port of an address. */
  public static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /**
   * The local address from which this machine reaches a server; loopback where the server is here.
   *
   * @param address of the server, host:port
   * @throws GridException if the address has no meaning here
   */
  public static String facing(String address) {
    try (DatagramSocket probe = new DatagramSocket()) {
      InetAddress remote = InetAddress.getAllByName(host(address))[0];
      if (remote.isLoopbackAddress()) {
        return LOOPBACK;
      }
      // A datagram socket sends nothing when it is connected.
      probe.connect(new InetSocketAddress(remote, ANY_PORT));
      return probe.getLocalAddress().getHostAddress();
    } catch (SocketException | UnknownHostException e) {
      throw GridException.of(
          "The grid's address '%s' cannot be reached: check host and port.", address, e);
    }
  }
}
