package io.pyrometer.benchmarks;

import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/**
 * What the relay adds to a round trip, how much it carries, and how right its delay is, with a peer
 * in this process that sends back what it gets, or swallows it where a connection begins with 0.
 */
public final class RelayFigures {
  private static final int ROUNDS = 10;
  private static final int TRIPS = 3_000;
  private static final int SHAPED_TRIPS = 40;
  private static final double BULK_SECONDS = 3;
  private static final byte SWALLOW = 0;
  private static final byte ECHO = 1;

  private final PrintStream out = System.out;
  private final int direct;
  private final RelayProcess relay;

  private RelayFigures(int direct, RelayProcess relay) {
    this.direct = direct;
    this.relay = relay;
  }

  /** Takes nothing; prints a table. */
  public static void main(String[] args) throws IOException {
    ServerSocket peer = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(() -> serve(peer));
    try (RelayProcess relay = new RelayProcess("127.0.0.1:" + peer.getLocalPort())) {
      RelayFigures figures = new RelayFigures(peer.getLocalPort(), relay);
      figures.roundTrips();
      figures.delays();
      figures.rates();
    }
  }

  private void roundTrips() throws IOException {
    double[] without = new double[ROUNDS];
    double[] with = new double[ROUNDS];
    double cpu = relay.cpuSeconds();
    for (int round = 0; round < ROUNDS; round++) {
      without[round] = medianMicros(direct, TRIPS);
      with[round] = medianMicros(relay.port(), TRIPS);
    }
    cpu = relay.cpuSeconds() - cpu;
    double[] added = new double[ROUNDS];
    Arrays.setAll(added, i -> with[i] - without[i]);
    Arrays.sort(added);
    out.printf(
        Locale.ROOT,
        "round trip of 128 bytes, p50: %.1f µs without, %.1f µs through the relay%n",
        median(without),
        median(with));
    out.printf(
        Locale.ROOT,
        "added at p50: %.1f µs (least %.1f, most %.1f of %d rounds of %d trips), %.1f µs of CPU a"
            + " trip%n",
        median(added),
        added[0],
        added[ROUNDS - 1],
        ROUNDS,
        TRIPS,
        cpu * 1e6 / ROUNDS / TRIPS);
  }

  private void delays() throws IOException {
    for (double millis : new double[] {0.5, 1, 5, 10, 50}) {
      relay.shape(new Shape(millis / 1e3, 0, 0, 0));
      double trip = medianMicros(relay.port(), SHAPED_TRIPS) / 1e3;
      out.printf(
          Locale.ROOT,
          "delay of %4.1f ms each way: round trip p50 %.3f ms, one way off by %+.3f ms%n",
          millis,
          trip,
          trip / 2 - millis);
    }
  }

  private void rates() throws IOException {
    out.printf(Locale.ROOT, "no relay: %.2f Gbit/s%n", bulk(direct));
    for (double rate : new double[] {0, 1e9, 100e6, 10e6}) {
      relay.shape(new Shape(0, 0, rate, 0));
      double cpu = relay.cpuSeconds();
      double reached = bulk(relay.port());
      out.printf(
          Locale.ROOT,
          "%s: %.3f Gbit/s, %.2f cores of the relay%n",
          rate == 0 ? "no limit" : String.format(Locale.ROOT, "limit of %.2f Gbit/s", rate / 1e9),
          reached,
          (relay.cpuSeconds() - cpu) / BULK_SECONDS);
    }
  }

  private static double medianMicros(int port, int trips) throws IOException {
    double[] micros = new double[trips];
    try (Socket socket = connect(port, ECHO)) {
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
  private static double bulk(int port) throws IOException {
    try (Socket socket = connect(port, SWALLOW)) {
      OutputStream out = socket.getOutputStream();
      byte[] piece = new byte[64 * 1024];
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

  private static Socket connect(int port, byte kind) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
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
      byte[] piece = new byte[64 * 1024];
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

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }
}
