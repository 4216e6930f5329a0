package io.pyrometer.driver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** Checks whether a native process is ready for clients and other servers. */
@FunctionalInterface
public interface ReadyCheck {

  /** Asked repeatedly until it is true once; must return within about a second. */
  boolean isReady(NativeProcess process);

  /** The process is ready when something accepts a TCP connection at its address. */
  static ReadyCheck accepts(String host, int port) {
    return process -> {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, port), 500);
        return true;
      } catch (IOException notYet) {
        return false;
      }
    };
  }

  /** The process is ready when one of the last lines it printed matches the pattern somewhere. */
  static ReadyCheck prints(Pattern pattern) {
    AtomicBoolean seen = new AtomicBoolean();
    return process -> {
      if (process.lastLines().stream().anyMatch(line -> pattern.matcher(line).find())) {
        seen.set(true);
      }
      return seen.get();
    };
  }
}
