package io.pyrometer.driver.nativetest;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The product under test: byte arrays under keys, served over TCP by a process of its own, which
 * knows nothing of Pyrometer. Each connection is served by one thread, one request at a time.
 */
public final class KeyValueServer {
  static final int PUT = 1;
  static final int GET = 2;
  static final int ENTRIES = 3;
  static final int CLEAR = 4;
  static final int MAX_HEAP = 5;
  private static final int ABSENT = -1;

  private final Map<Long, byte[]> entries = new ConcurrentHashMap<>();

  private final long work;

  private KeyValueServer(long work) {
    this.work = work;
  }

  /**
   * Takes the address and the port to listen at, and the CPU work of a request in steps of a
   * pseudo-random sequence. Says on standard output when it listens.
   */
  public static void main(String[] args) throws IOException {
    KeyValueServer server = new KeyValueServer(Long.parseLong(args[2]));
    int port = Integer.parseInt(args[1]);
    try (ServerSocket listening = new ServerSocket(port, 50, InetAddress.getByName(args[0]))) {
      System.out.println("Ready on port " + port);
      while (true) {
        Socket client = listening.accept();
        new Thread(() -> server.serve(client)).start();
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(client.getOutputStream()))) {
      client.setTcpNoDelay(true);
      for (int request = in.read(); request >= 0; request = in.read()) {
        write(out, answer(request, in.readLong(), read(in).orElseThrow()));
        out.flush();
      }
    } catch (IOException clientIsGone) {
      // Nobody is left to tell.
    }
  }

  private byte @Nullable [] answer(int request, long key, byte[] value) throws IOException {
    switch (request) {
      case PUT -> entries.put(worked(key), value);
      case GET -> {
        return entries.get(worked(key));
      }
      case ENTRIES -> {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (Map.Entry<Long, byte[]> entry : entries.entrySet()) {
          out.writeLong(entry.getKey());
          write(out, entry.getValue());
        }
        return all.toByteArray();
      }
      case CLEAR -> entries.clear();
      case MAX_HEAP -> {
        return ByteBuffer.allocate(Long.BYTES).putLong(Runtime.getRuntime().maxMemory()).array();
      }
      default -> throw new IOException("There is no request " + request + ".");
    }
    return null;
  }

  /** The key, after the work: each step needs the one before, and none touches memory. */
  private long worked(long key) {
    long state = key | 1;
    for (long step = 0; step < work; step++) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
    }
    // A sequence of an odd start never reaches 0, which only this loop knows.
    return state == 0 ? 0 : key;
  }

  static void write(DataOutputStream out, byte @Nullable [] value) throws IOException {
    out.writeInt(value == null ? ABSENT : value.length);
    if (value != null) {
      out.write(value);
    }
  }

  static Optional<byte[]> read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == ABSENT ? Optional.empty() : Optional.of(in.readNBytes(length));
  }
}
