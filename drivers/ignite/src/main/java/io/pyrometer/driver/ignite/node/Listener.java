package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Kind of a program that listens at an address which is not the discovery of an Ignite server. */
enum Listener {
  NONE,
  SILENT,
  HTTP,
  REDIS,
  TLS,
  CLIENT_CONNECTOR,
  IGNITE_3,
  HAZELCAST;

  private static final int MILLIS = 2_000;
  private static final int TLS_ALERT = 0x15;
  private static final int STATUS = 4;

  /** A handshake of protocol 1.7 of thin clients: its length, then what it says. */
  private static final byte[] THIN = {8, 0, 0, 0, 1, 1, 0, 7, 0, 0, 0, 2};

  /** The beginning of a handshake of Ignite 3, version 3.0.0 of a general client. */
  private static final byte[] OF_3 = {
    'I', 'G', 'N', 'I', 0, 0, 0, 7, 3, 0, 0, 2, (byte) 0xc4, 0, (byte) 0x80
  };

  /**
   * The kind of the listener at an address, by its answers to greetings of several protocols; empty
   * where it is none of these.
   */
  static Optional<Listener> at(String address) {
    try {
      String text = answer(address, "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      if (text.startsWith("HTTP/")) {
        return Optional.of(HTTP);
      }
      if (text.startsWith("-")) {
        return Optional.of(REDIS);
      }
      if (!text.isEmpty() && text.charAt(0) == TLS_ALERT) {
        return Optional.of(TLS);
      }
      String thin = answer(address, THIN);
      if (thin.length() > STATUS && thin.charAt(2) == 0 && thin.charAt(STATUS) <= 1) {
        return Optional.of(CLIENT_CONNECTOR);
      }
      if (answer(address, OF_3).startsWith("IGNI")) {
        return Optional.of(IGNITE_3);
      }
      if (answer(address, "HZX".getBytes(StandardCharsets.US_ASCII)).startsWith("HZ")) {
        return Optional.of(HAZELCAST);
      }
      return text.isEmpty() && thin.isEmpty() ? Optional.of(SILENT) : Optional.empty();
    } catch (IOException refused) {
      return Optional.of(NONE);
    }
  }

  /** Returns whether something accepts connections at an address. */
  static boolean isOpen(String address) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Address.host(address), Address.port(address)), MILLIS);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** The first bytes that it says, each as a character; empty if it says nothing. */
  private static String answer(String address, byte[] greeting) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(Address.host(address), Address.port(address)), MILLIS);
      socket.setSoTimeout(MILLIS);
      try {
        socket.getOutputStream().write(greeting);
        byte[] first = new byte[64];
        int read = socket.getInputStream().read(first);
        return new String(Arrays.copyOf(first, Math.max(0, read)), StandardCharsets.ISO_8859_1);
      } catch (SocketTimeoutException silent) {
        return "";
      } catch (IOException closed) {
        return "";
      }
    }
  }
}
