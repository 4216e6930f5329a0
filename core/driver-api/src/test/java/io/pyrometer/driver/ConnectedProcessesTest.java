package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of this JVM, as the system's tables of sockets have them. */
@EnabledOnOs(OS.LINUX)
class ConnectedProcessesTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3"})
  void aProcessIsConnectedToTheAddressOfItsConnectionAndToNoOther(String host) throws Exception {
    InetAddress address = InetAddress.getByName(host);
    try (ServerSocket server = new ServerSocket(0, 1, address)) {
      InetSocketAddress there = new InetSocketAddress(address, server.getLocalPort());
      assertThat(ConnectedProcesses.to(Set.of(there))).as("nobody is connected").isEmpty();
      try (Socket client = new Socket(address, server.getLocalPort())) {
        assertThat(ConnectedProcesses.to(Set.of(there)))
            .containsExactly(ProcessHandle.current().pid());
        InetSocketAddress elsewhere =
            new InetSocketAddress(InetAddress.getByName("127.9.9.9"), client.getPort());
        assertThat(ConnectedProcesses.to(Set.of(elsewhere))).isEmpty();
      }
    }
  }
}
