package io.pyrometer.driver.ignite.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenerTest {
  /** A program that answers every greeting that begins in one way. */
  @ParameterizedTest
  @CsvSource({
    "GET, HTTP/1.0 404, HTTP",
    "GET, -ERR unknown command, REDIS",
    "IGNI, IGNI, IGNITE_3",
    "HZX, HZX, HAZELCAST",
  })
  void aProgramIsKnownByItsAnswer(String greeting, String answer, Listener kind) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      Thread serving = new Thread(() -> serve(server, greeting, answer), "server");
      serving.setDaemon(true);
      serving.start();
      assertThat(Listener.at("127.0.0.1:" + server.getLocalPort())).contains(kind);
    }
  }

  private static void serve(ServerSocket server, String greeting, String answer) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        byte[] first = socket.getInputStream().readNBytes(3);
        if (greeting.startsWith(new String(first, StandardCharsets.US_ASCII))) {
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException closed) {
        return;
      }
    }
  }

  @Test
  void aPortThatNobodyListensOnHasNone() {
    assertThat(Listener.at("127.0.0.1:" + Ports.free("127.0.0.1"))).contains(Listener.NONE);
  }
}
