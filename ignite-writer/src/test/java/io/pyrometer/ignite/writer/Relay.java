package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Passes connections on to a port of this machine, and breaks them on their clients' side. */
final class Relay implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final List<Socket> clients = new ArrayList<>();
  private final List<Socket> servers = new ArrayList<>();
  private final AtomicLong sent = new AtomicLong();
  private boolean refusing;

  Relay(int target) throws IOException {
    this.target = target;
    this.listening = listen();
    daemon(this::accept);
  }

  /** On a port below all servers': thin clients turn to the lowest port first. */
  private static ServerSocket listen() throws IOException {
    IOException last = new IOException("no port was tried");
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(12_000, 20_000);
      try {
        return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  int port() {
    return listening.getLocalPort();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        take(listening.accept());
      }
    } catch (IOException closed) {
      // the relay has ended
    }
  }

  private synchronized void take(Socket client) throws IOException {
    if (refusing) {
      client.close();
      return;
    }
    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
    clients.add(client);
    servers.add(server);
    daemon(() -> pump(client, server, sent));
    daemon(() -> pump(server, client, new AtomicLong()));
  }

  private static void pump(Socket from, Socket to, AtomicLong passed) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
        passed.addAndGet(read);
      }
    } catch (IOException broken) {
      // one of both sides has ended
    }
  }

  /** The bytes that clients have sent to the server. */
  long sent() {
    return sent.get();
  }

  synchronized int connections() {
    return clients.size();
  }

  /** Breaks the clients' side alone: what the server has received it has received. */
  synchronized void breakClients(boolean refuseNew) throws IOException {
    refusing = refuseNew;
    for (Socket client : clients) {
      client.close();
    }
    clients.clear();
  }

  @Override
  public synchronized void close() throws IOException {
    listening.close();
    for (Socket socket : clients) {
      socket.close();
    }
    for (Socket socket : servers) {
      socket.close();
    }
  }
}
