package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.GridException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A client that sends each key to the server that the key's remainder names. For one thread. */
final class KeyValueClient implements AutoCloseable {
  private final List<Connection> servers = new ArrayList<>();

  private record Connection(Socket socket, DataInputStream in, DataOutputStream out) {
    DataInputStream ask(int request) throws IOException {
      out.writeByte(request);
      out.flush();
      return in;
    }
  }

  /**
   * @param addresses host:port of every server
   * @throws GridException if one does not answer
   */
  KeyValueClient(List<String> addresses) {
    for (String address : addresses) {
      int colon = address.lastIndexOf(':');
      try {
        Socket socket =
            new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
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

  void put(long key, byte[] value) throws IOException {
    Connection server = serverOf(key);
    server.out.writeByte(KeyValueServer.PUT);
    server.out.writeLong(key);
    server.out.writeInt(value.length);
    server.out.write(value);
    server.out.flush();
    server.in.readByte();
  }

  Optional<byte[]> get(long key) throws IOException {
    Connection server = serverOf(key);
    server.out.writeByte(KeyValueServer.GET);
    server.out.writeLong(key);
    server.out.flush();
    return read(server.in);
  }

  void forEach(BiConsumer<Long, byte[]> taker) throws IOException {
    for (Connection server : servers) {
      DataInputStream in = server.ask(KeyValueServer.ENTRIES);
      int entries = in.readInt();
      for (int i = 0; i < entries; i++) {
        taker.accept(in.readLong(), read(in).orElseThrow());
      }
    }
  }

  private static Optional<byte[]> read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == KeyValueServer.ABSENT ? Optional.empty() : Optional.of(in.readNBytes(length));
  }

  void clear() throws IOException {
    for (Connection server : servers) {
      server.ask(KeyValueServer.CLEAR).readByte();
    }
  }

  /** The first server's largest heap in bytes. */
  long maxHeap() throws IOException {
    return servers.get(0).ask(KeyValueServer.MAX_HEAP).readLong();
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
