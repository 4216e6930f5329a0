package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A client that sends each key to the server that the key's remainder names. For one thread. */
final class KeyValueClient implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final List<Connection> servers = new ArrayList<>();

  private record Connection(Socket socket, DataInputStream in, DataOutputStream out) {}

  /**
   * @param addresses host:port of every server
   * @throws GridException if one does not answer
   */
  KeyValueClient(List<String> addresses) {
    for (String address : addresses) {
      try {
        Socket socket = new Socket(Address.host(address), Address.port(address));
        socket.setTcpNoDelay(true);
        servers.add(
            new Connection(
                socket,
                new DataInputStream(new BufferedInputStream(socket.getInputStream())),
                new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))));
      } catch (IOException e) {
        close();
        throw new GridException("The server at " + address + " does not answer.", e);
      }
    }
  }

  private Connection serverOf(long key) {
    return servers.get((int) Math.floorMod(key, (long) servers.size()));
  }

  private static Optional<byte[]> ask(Connection server, int request, long key, byte[] value) {
    try {
      server.out.writeByte(request);
      server.out.writeLong(key);
      KeyValueServer.write(server.out, value);
      server.out.flush();
      return KeyValueServer.read(server.in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void put(long key, byte[] value) {
    Optional<byte[]> unused = ask(serverOf(key), KeyValueServer.PUT, key, value);
  }

  byte @Nullable [] get(long key) {
    return ask(serverOf(key), KeyValueServer.GET, key, NOTHING).orElse(null);
  }

  void forEach(BiConsumer<Long, byte[]> taker) {
    for (Connection server : servers) {
      ByteBuffer entries =
          ByteBuffer.wrap(ask(server, KeyValueServer.ENTRIES, 0, NOTHING).orElseThrow());
      while (entries.hasRemaining()) {
        long key = entries.getLong();
        byte[] value = new byte[entries.getInt()];
        entries.get(value);
        taker.accept(key, value);
      }
    }
  }

  void clear() {
    for (Connection server : servers) {
      Optional<byte[]> unused = ask(server, KeyValueServer.CLEAR, 0, NOTHING);
    }
  }

  /** The first server's largest heap in bytes. */
  long maxHeap() {
    return ByteBuffer.wrap(ask(servers.get(0), KeyValueServer.MAX_HEAP, 0, NOTHING).orElseThrow())
        .getLong();
  }

  @Override
  public void close() {
    for (Connection server : servers) {
      try {
        server.socket.close();
      } catch (IOException e) {
        throw new GridException("A connection cannot be closed.", e);
      }
    }
  }
}
