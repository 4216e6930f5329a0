package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.Ports;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another process may take a port between its reservation and its use. */
class TakenPortIT {

  @Test
  void aTakenPortIsOneSentence(@TempDir Path folder) throws Exception {
    int clientPort = Ports.free("127.0.0.1");
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Integer> ports = List.of(other.getLocalPort(), clientPort);
      Command.StartServer spec =
          new Command.StartServer(
              0,
              1,
              ports,
              List.of("127.0.0.1:" + ports.get(0)),
              Optional.empty(),
              folder.toString(),
              Settings.NONE);
      assertThatThrownBy(() -> new IgniteDriver().start(spec))
          .isInstanceOf(PortTakenException.class);
    }
  }
}
