package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Ports;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Free ports of an address, reserved until a server has bound them.
 *
 * <p>Each is drawn from {@link Ports} and then held by a socket that is bound and does not listen.
 * On Linux a server that sets {@code SO_REUSEADDR}, as Java's and most others do, can bind the port
 * beside that socket, so there is no moment at which the port is anyone's to take.
 */
final class ReservedPorts {
  private static final int ATTEMPTS_PER_PORT = 200;
  private static final boolean BINDABLE_WHILE_HELD =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

  private final Ports ports;
  private final List<Socket> held = new ArrayList<>();

  ReservedPorts(Ports ports) {
    this.ports = ports;
  }

  /**
   * Reserves ports instead of those reserved before.
   *
   * @throws GridException if the address is not this machine's, or no port is free
   */
  List<Integer> reserve(int count, String address) {
    release();
    try {
      InetAddress here = InetAddress.getAllByName(address)[0];
      for (int i = 0; i < count; i++) {
        held.add(hold(here));
      }
      return held.stream().map(Socket::getLocalPort).toList();
    } catch (IOException e) {
      release();
      throw GridException.of(Messages.format("worker.no-port"), address, e.getMessage(), e);
    }
  }

  private Socket hold(InetAddress here) throws IOException {
    IOException last = new IOException("none was tried");
    for (int attempt = 0; attempt < ATTEMPTS_PER_PORT; attempt++) {
      int port = ports.draw(here);
      try {
        return bound(here, port);
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  private static Socket bound(InetAddress here, int port) throws IOException {
    Socket holder = new Socket();
    try {
      holder.setReuseAddress(true);
      holder.bind(new InetSocketAddress(here, port));
      return holder;
    } catch (IOException e) {
      holder.close();
      throw e;
    }
  }

  /**
   * Gives ports up where a server cannot bind them otherwise; to be called right before it does.
   */
  void releaseWhereHeldExclusively() {
    if (!BINDABLE_WHILE_HELD) {
      release();
    }
  }

  /** Gives the ports up. */
  void release() {
    for (Socket socket : held) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new GridException("Cannot release port " + socket.getLocalPort() + ".", e);
      }
    }
    held.clear();
  }
}
