package io.pyrometer.coordinator.testbed.host;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The program that listens on a host, as servers of a run would, and connects to the listeners of
 * other hosts. This one class file, without others of Pyrometer, is sent to the host; it takes
 * commands on standard input, answers on standard output, and ends with its input. Arguments: the
 * host's address, a word that its listener greets with, and the folder of the class file, which is
 * deleted first.
 *
 * <p>Commands and answers are lines of words: {@code clock ID} is answered by {@code ID MICROS};
 * {@code reach ID ADDRESS PORT GREETING} by {@code ID reached} or {@code ID failed WHY}; {@code
 * measure ID ADDRESS PORT GREETING MILLIS} by {@code ID measured MICROS BITS}, the round trip and
 * the bits a second that arrived there.
 */
public final class NetworkProbe {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int LIFETIME_MILLIS = 60_000;
  private static final int BACKLOG = 256;
  private static final int CHUNK = 64 << 10;
  private static final int MIN_TRIPS = 3;
  private static final int MAX_TRIPS = 50;
  private static final long MAX_TRIP_NANOS = 50_000_000;
  private static final int TO_ECHO = 1;
  private static final int TO_COUNT = 2;

  private final String greeting;

  private NetworkProbe(String greeting) {
    this.greeting = greeting;
  }

  /** See the class. */
  public static void main(String[] arguments) throws IOException {
    NetworkProbe probe = new NetworkProbe(arguments[1]);
    inBackground(NetworkProbe::endInAnyCase);
    delete(Path.of(arguments[2]));
    try (ServerSocket listener = new ServerSocket()) {
      listener.bind(new InetSocketAddress(arguments[0], 0), BACKLOG);
      inBackground(() -> probe.accept(listener));
      say("listening " + listener.getLocalPort());
      probe.obey();
    } catch (IOException cannot) {
      say("listening failed " + cannot.getMessage());
      probe.obey();
    }
  }

  private static void endInAnyCase() {
    try {
      Thread.sleep(LIFETIME_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(1);
  }

  /** The class is loaded by now. */
  private static void delete(Path folder) throws IOException {
    Path file = folder;
    for (String name : NetworkProbe.class.getName().split("\\.", -1)) {
      file = file.resolve(name);
    }
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".class"));
    Path in = file.getParent();
    while (in != null && in.startsWith(folder)) {
      Files.deleteIfExists(in);
      in = in.getParent();
    }
  }

  private static void inBackground(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void obey() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("clock")) {
        say(words[1] + " " + ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
      } else {
        inBackground(() -> connect(words));
      }
    }
  }

  private void connect(String[] words) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(words[2]), Integer.parseInt(words[3])),
          TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      if (!in.readUTF().equals(words[4])) {
        say(words[1] + " failed another machine answers");
      } else if (words[0].equals("reach")) {
        say(words[1] + " reached");
      } else {
        double micros = roundTripMicros(in, out);
        double bits = bitsPerSecond(socket, in, out, Integer.parseInt(words[5]));
        say(String.format(Locale.ROOT, "%s measured %.1f %.0f", words[1], micros, bits));
      }
    } catch (IOException | RuntimeException failure) {
      say(words[1] + " failed " + failure.getMessage());
    }
  }

  private static double roundTripMicros(DataInputStream in, DataOutputStream out)
      throws IOException {
    long least = Long.MAX_VALUE;
    long begin = System.nanoTime();
    for (int i = 0; i < MAX_TRIPS; i++) {
      long from = System.nanoTime();
      if (i >= MIN_TRIPS && from - begin > MAX_TRIP_NANOS) {
        break;
      }
      out.writeByte(TO_ECHO);
      out.flush();
      int unused = in.readByte();
      least = Math.min(least, System.nanoTime() - from);
    }
    return least / 1e3;
  }

  /** Sends for so long; the other side counts what arrives once the connection is up to speed. */
  private static double bitsPerSecond(
      Socket socket, DataInputStream in, DataOutputStream out, int millis) throws IOException {
    if (millis == 0) {
      return 0;
    }
    out.writeByte(TO_COUNT);
    out.writeInt(millis);
    byte[] chunk = new byte[CHUNK];
    long end = System.nanoTime() + millis * 1_000_000L;
    while (System.nanoTime() < end) {
      out.write(chunk);
    }
    out.flush();
    socket.shutdownOutput();
    long bytes = in.readLong();
    return 8e9 * bytes / Math.max(1, in.readLong());
  }

  private void accept(ServerSocket listener) {
    try {
      while (true) {
        Socket socket = listener.accept();
        inBackground(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The program ends.
    }
  }

  private void serve(Socket accepted) {
    try (Socket socket = accepted) {
      socket.setSoTimeout(10 * TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeUTF(greeting);
      out.flush();
      for (int what = in.read(); what >= 0; what = in.read()) {
        if (what == TO_COUNT) {
          count(in, out);
          return;
        }
        out.writeByte(what);
        out.flush();
      }
    } catch (IOException gone) {
      // Who connected is told by its own side.
    }
  }

  /** Leaves what is on its way when the time is over, since a slow link would hold it for long. */
  private static void count(DataInputStream in, DataOutputStream out) throws IOException {
    long wholeNanos = in.readInt() * 1_000_000L;
    byte[] chunk = new byte[CHUNK];
    long begin = System.nanoTime();
    long from = begin;
    long bytes = 0;
    long now = begin;
    while (now - begin < wholeNanos) {
      int read = in.read(chunk);
      now = System.nanoTime();
      if (read < 0) {
        break;
      }
      bytes += read;
      if (now - begin < wholeNanos / 4) {
        from = now;
        bytes = 0;
      }
    }
    out.writeLong(bytes);
    out.writeLong(now - from);
    out.flush();
    while (in.read(chunk) >= 0) {
      // An end with unread data would reset the connection before the answer is read.
    }
  }
}
