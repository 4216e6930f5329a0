package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Ports;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReservedPortsTest {
  private static final String HERE = "127.0.0.1";

  @Test
  @EnabledOnOs(OS.LINUX)
  void aReservedPortIsAnotherProgramsNeverAndTheServersAtAnyTime() throws Exception {
    ReservedPorts ports = new ReservedPorts(new Ports(new SplittableRandom(2)));
    int port = ports.reserve(1, HERE).get(0);
    ports.releaseWhereHeldExclusively();
    assertThatThrownBy(() -> listen(port, false).close()).isInstanceOf(BindException.class);
    try (ServerSocket server = listen(port, true)) {
      ports.release();
      assertThat(server.isBound()).isTrue();
    }
    assertThatCode(() -> listen(port, false).close()).doesNotThrowAnyException();
  }

  @Test
  void twoReservationsAtOnceShareNoPort() {
    ReservedPorts one = new ReservedPorts(new Ports(new SplittableRandom(3)));
    ReservedPorts sameDraws = new ReservedPorts(new Ports(new SplittableRandom(3)));
    List<Integer> first = one.reserve(5, HERE);
    assertThat(sameDraws.reserve(5, HERE)).doesNotContainAnyElementsOf(first);
    one.release();
    sameDraws.release();
  }

  @Test
  void anAddressOfAnotherMachineIsOneSentence() {
    ReservedPorts ports = new ReservedPorts(new Ports(new SplittableRandom(4)));
    assertThatThrownBy(() -> ports.reserve(1, "192.0.2.1"))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("192.0.2.1");
  }

  static ServerSocket listen(int port, boolean reuse) throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(reuse);
      server.bind(new InetSocketAddress(InetAddress.getByName(HERE), port));
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }
}
