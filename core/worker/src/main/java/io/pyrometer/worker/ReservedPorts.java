package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Free ports of an address, reserved until a server has bound them.
 *
 * <p>Ports are drawn at random from outside the range that the system takes ports of outgoing
 * connections from, so that no connection made in the meantime gets one. Each is proved free by
 * binding it exclusively and then held by a socket that is bound and does not listen. On Linux a
 * server that sets {@code SO_REUSEADDR}, as Java's and most others do, can bind the port beside
 * that socket, so there is no moment at which the port is anyone's to take.
 */
final class ReservedPorts {
  /** Below these many servers of other programs have their usual ports. */
  private static final int LOWEST = 15_000;

  /** There are servers that do not take the last one, 65535. */
  private static final int HIGHEST = 65_534;

  private static final int ATTEMPTS_PER_PORT = 200;
  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final boolean BINDABLE_WHILE_HELD =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

  private final int[] candidates;
  private final RandomGenerator random;
  private final List<Socket> held = new ArrayList<>();

  ReservedPorts(RandomGenerator random) {
    this(random, ephemeralRange());
  }

  /**
   * @param ephemeral first and last port of outgoing connections; empty where it is not known
   */
  ReservedPorts(RandomGenerator random, List<Integer> ephemeral) {
    this.random = random;
    // The range that IANA names, if the system does not report its own.
    int first = ephemeral.size() == 2 ? ephemeral.get(0) : 49_152;
    int last = ephemeral.size() == 2 ? ephemeral.get(1) : HIGHEST;
    int[] outside =
        IntStream.rangeClosed(LOWEST, HIGHEST).filter(p -> p < first || p > last).toArray();
    this.candidates =
        outside.length >= 1_000 ? outside : IntStream.rangeClosed(LOWEST, HIGHEST).toArray();
  }

  private static List<Integer> ephemeralRange() {
    // In one read: the kernel gives the rest of such a file to no second one.
    try (InputStream file = Files.newInputStream(EPHEMERAL)) {
      String text = new String(file.readNBytes(64), StandardCharsets.UTF_8);
      String[] range = text.strip().split("\\s+", -1);
      return List.of(Integer.valueOf(range[0]), Integer.valueOf(range[1]));
    } catch (IOException notLinux) {
      return List.of();
    }
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
      int port = candidates[random.nextInt(candidates.length)];
      try {
        proveFree(here, port);
        return bound(here, port);
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  private static void proveFree(InetAddress here, int port) throws IOException {
    try (ServerSocket exclusive = new ServerSocket()) {
      exclusive.setReuseAddress(false);
      exclusive.bind(new InetSocketAddress(here, port), 1);
    }
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
