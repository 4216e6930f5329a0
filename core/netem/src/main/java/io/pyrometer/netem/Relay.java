package io.pyrometer.netem;

import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Shape;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Listens on a loopback port for each of several addresses and passes every connection on to its
 * address, in the shape that held when the connection was made. All connections share one link of
 * the shape's rate in each direction.
 */
public final class Relay implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int PIECE = 64 * 1024;

  private final List<ServerSocket> listeners = new ArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong seeds = new AtomicLong();
  private volatile Shape shape = Shape.PLAIN;
  private volatile Link toNodes = new Link(0);
  private volatile Link toClients = new Link(0);

  /**
   * @param targets host:port each
   * @return the loopback port that stands for each target
   * @throws UncheckedIOException if no port is free
   */
  public List<Integer> listen(List<String> targets) {
    List<Integer> ports = new ArrayList<>();
    try {
      for (String target : targets) {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        listeners.add(listener);
        InetSocketAddress address = address(target);
        Daemon.start("relay-to-" + target, () -> accept(listener, address));
        ports.add(listener.getLocalPort());
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return ports;
  }

  /** Holds for connections made from now on. */
  public void shape(Shape next) {
    toNodes = new Link(next.bitsPerSecond());
    toClients = new Link(next.bitsPerSecond());
    shape = next;
  }

  private static InetSocketAddress address(String target) throws IOException {
    int colon = target.lastIndexOf(':');
    return new InetSocketAddress(
        InetAddress.getAllByName(target.substring(0, colon))[0],
        Integer.parseInt(target.substring(colon + 1)));
  }

  private void accept(ServerSocket listener, InetSocketAddress target) {
    try {
      while (true) {
        Socket client = listener.accept();
        open.add(client);
        Daemon.start("relay-connects", () -> connect(client, target));
      }
    } catch (IOException closed) {
      // The relay was closed.
    }
  }

  private void connect(Socket client, InetSocketAddress target) {
    Socket node = new Socket();
    try {
      open.add(node);
      node.connect(target);
      client.setTcpNoDelay(true);
      node.setTcpNoDelay(true);
      pump(client, node, toNodes);
      pump(node, client, toClients);
    } catch (IOException refused) {
      System.err.println("The relay cannot reach " + target + ": " + refused.getMessage());
      forget(client);
      forget(node);
    }
  }

  private void pump(Socket from, Socket to, Link link) throws IOException {
    Runnable atEnd =
        () -> {
          forget(from);
          forget(to);
        };
    if (shape.equals(Shape.PLAIN)) {
      Daemon.start("relay-passes", () -> pass(from, to, atEnd));
    } else {
      ShapedPump pump = new ShapedPump(from, to, shape, link, seeds.incrementAndGet(), atEnd);
      Daemon.start("relay-takes", pump::take);
      Daemon.start("relay-gives", pump::give);
    }
  }

  /** Forwards one direction of a connection without delay. */
  private static void pass(Socket from, Socket to, Runnable atEnd) {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        out.write(piece, 0, read);
      }
      to.shutdownOutput();
      if (from.isOutputShutdown()) {
        atEnd.run();
      }
    } catch (IOException broken) {
      atEnd.run();
    }
  }

  private void forget(Closeable socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // Nothing is lost: it was to go.
    }
  }

  @Override
  public void close() {
    listeners.forEach(this::forget);
    open.forEach(this::forget);
  }
}
