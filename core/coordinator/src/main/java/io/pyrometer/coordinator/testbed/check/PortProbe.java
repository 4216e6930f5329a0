package io.pyrometer.coordinator.testbed.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * Program that is sent to a host as this one class file. It listens at the host's address as a
 * server of a run would and prints {@code listening PORT} or {@code failed WHY}. For each line
 * {@code ADDRESS PORT} of its input it connects and prints {@code reached} or {@code failed WHY}.
 * It ends with its input. Arguments: the host's address, and the folder of the class file, which it
 * deletes first.
 */
public final class PortProbe {
  static final String LISTENING = "listening ";
  static final String REACHED = "reached";
  static final String FAILED = "failed ";

  private static final int TIMEOUT_MILLIS = 2_000;

  private PortProbe() {}

  public static void main(String[] arguments) throws IOException {
    delete(Path.of(arguments[1]));
    try (ServerSocket listener = new ServerSocket();
        BufferedReader targets =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      try {
        // The kernel completes connections up to the default backlog without an accept.
        listener.bind(new InetSocketAddress(arguments[0], 0));
        System.out.println(LISTENING + listener.getLocalPort());
      } catch (IOException cannot) {
        System.out.println(FAILED + cannot.getMessage());
      }
      for (String line = targets.readLine(); line != null; line = targets.readLine()) {
        System.out.println(connect(line.split(" ", -1)));
      }
    }
  }

  private static String connect(String[] target) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(target[0], Integer.parseInt(target[1])), TIMEOUT_MILLIS);
      return REACHED;
    } catch (IOException cannot) {
      return FAILED + cannot.getMessage();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var inside = Files.walk(folder)) {
      for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
