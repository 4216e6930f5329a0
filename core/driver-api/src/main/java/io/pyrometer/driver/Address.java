package io.pyrometer.driver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Addresses of servers, as host:port. */
public final class Address {

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

  /** A port that nobody listens on at this moment; others may take it before it is used. */
  public static int freePort(String host) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw GridException.of("No port is free at %s: %s.", host, e.getMessage(), e);
    }
  }
}
