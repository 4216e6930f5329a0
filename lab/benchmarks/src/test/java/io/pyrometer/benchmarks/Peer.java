package io.pyrometer.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/**
 * Both ends of a measured connection: a server that sends back what it gets, or swallows it where a
 * connection begins with 0, and clients that time it.
 */
final class Peer {
  static final double BULK_SECONDS = 3;

  private static final byte SWALLOW = 0;
  private static final byte ECHO = 1;
  private static final int PIECE = 64 * 1024;
  private static final int BACKLOG = 50;

  private Peer() {}

  /**
   * Takes {@code serve ADDRESS}, which prints a port and serves until it is ended; {@code trips
   * ADDRESS PORT NUMBER}, which prints microseconds; or {@code bulk ADDRESS PORT}, which prints
   * Gbit/s.
   */
  public static void main(String[] args) throws IOException {
    InetAddress address = InetAddress.getByName(args[1]);
    if (args[0].equals("serve")) {
      ServerSocket peer = new ServerSocket(0, BACKLOG, address);
      System.out.println(peer.getLocalPort());
      serve(peer);
    } else {
      InetSocketAddress to = new InetSocketAddress(address, Integer.parseInt(args[2]));
      System.out.println(
          args[0].equals("trips") ? medianMicros(to, Integer.parseInt(args[3])) : bulk(to));
    }
  }

  /** Serves in the background, on loopback; the port. */
  static int serveHere() throws IOException {
    ServerSocket peer = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    start(() -> serve(peer));
    return peer.getLocalPort();
  }

  static InetSocketAddress here(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Median of round trips of 128 bytes over one connection. */
  static double medianMicros(InetSocketAddress to, int trips) throws IOException {
    double[] micros = new double[trips];
    try (Socket socket = connect(to, ECHO)) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      byte[] message = new byte[128];
      for (int i = 0; i < trips; i++) {
        long from = System.nanoTime();
        out.write(message);
        in.readNBytes(message, 0, message.length);
        micros[i] = (System.nanoTime() - from) / 1e3;
      }
    }
    return median(micros);
  }

  /** Gbit/s that the peer swallowed, by what it says at the end. */
  static double bulk(InetSocketAddress to) throws IOException {
    try (Socket socket = connect(to, SWALLOW)) {
      OutputStream out = socket.getOutputStream();
      byte[] piece = new byte[PIECE];
      long from = System.nanoTime();
      long bytes = 0;
      while (System.nanoTime() - from < BULK_SECONDS * 1e9) {
        out.write(piece);
        bytes += piece.length;
      }
      socket.shutdownOutput();
      int unused = socket.getInputStream().read();
      return bytes * 8.0 / (System.nanoTime() - from);
    }
  }

  private static Socket connect(InetSocketAddress to, byte kind) throws IOException {
    Socket socket = new Socket(to.getAddress(), to.getPort());
    socket.setTcpNoDelay(true);
    socket.getOutputStream().write(kind);
    return socket;
  }

  private static void serve(ServerSocket peer) {
    try {
      while (true) {
        Socket socket = peer.accept();
        start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // It is over.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      boolean echoes = in.read() == ECHO;
      byte[] piece = new byte[PIECE];
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        if (echoes) {
          out.write(piece, 0, read);
        }
      }
    } catch (IOException gone) {
      // The other side is done.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "peer");
    thread.setDaemon(true);
    thread.start();
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }
}
