package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Kind of a program that listens at an address which is not the discovery of an Ignite server, with
 * a greeting and its answer: bytes as characters.
 */
enum Listener {
  HTTP(Listener.GET, "HTTP/.*"),
  REDIS(Listener.GET, "-.*"),
  TLS(Listener.GET, "\25.*"),
  /** Asked for protocol 1.7 of thin clients. */
  CLIENT_CONNECTOR("\10\0\0\0\1\1\0\7\0\0\0\2", "..\0.[\0\1].*"),
  /** Asked for version 3.0.0 of a general client. */
  IGNITE_3("IGNI\0\0\0\7\3\0\0\2\u00c4\0\u0080", "IGNI.*"),
  HAZELCAST("HZX", "HZ.*"),
  SILENT(Listener.GET, ""),
  NONE("", "");

  private static final String GET = "GET / HTTP/1.0\r\n\r\n";
  private static final int MILLIS = 2_000;
  private final String greeting;
  private final String answer;

  Listener(String greeting, String answer) {
    this.greeting = greeting;
    this.answer = "(?s)" + answer;
  }

  /** The kind of the listener at an address; empty where it is none of these. */
  static Optional<Listener> at(String address) {
    Map<String, String> answers = new HashMap<>();
    try {
      for (Listener kind : EnumSet.range(HTTP, SILENT)) {
        if (!answers.containsKey(kind.greeting)) {
          answers.put(kind.greeting, answer(address, kind.greeting));
        }
        if (answers.getOrDefault(kind.greeting, "").matches(kind.answer)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    } catch (IOException refused) {
      return Optional.of(NONE);
    }
  }

  /** Returns whether something accepts connections at an address. */
  static boolean isOpen(String address) {
    try {
      connect(address).close();
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private static Socket connect(String address) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(Address.host(address), Address.port(address)), MILLIS);
    return socket;
  }

  /** The first characters that it says; none if it says nothing, or closes the connection. */
  private static String answer(String address, String greeting) throws IOException {
    try (Socket socket = connect(address)) {
      socket.setSoTimeout(MILLIS);
      try {
        socket.getOutputStream().write(greeting.getBytes(StandardCharsets.ISO_8859_1));
        byte[] first = new byte[64];
        int read = Math.max(0, socket.getInputStream().read(first));
        return new String(first, 0, read, StandardCharsets.ISO_8859_1);
      } catch (IOException silent) {
        return "";
      }
    }
  }
}
