package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReservedPortsTest {
  private static final String HERE = "127.0.0.1";

  @Test
  void noPortIsOneThatAnOutgoingConnectionMayGet() {
    ReservedPorts ports = new ReservedPorts(new SplittableRandom(1), List.of(32_768, 60_999));
    for (int i = 0; i < 50; i++) {
      assertThat(ports.reserve(2, HERE))
          .hasSize(2)
          .doesNotHaveDuplicates()
          .noneMatch(port -> port >= 32_768 && port <= 60_999);
    }
    ports.release();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void portsOfOutgoingConnectionsAreAllOnOneSideOfTheReservedOnes() throws Exception {
    ReservedPorts ports = new ReservedPorts(new SplittableRandom(5));
    List<Integer> reserved = ports.reserve(50, HERE);
    ports.release();
    int lowest = Integer.MAX_VALUE;
    int highest = 0;
    for (int i = 0; i < 500; i++) {
      try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(HERE))) {
        lowest = Math.min(lowest, any.getLocalPort());
        highest = Math.max(highest, any.getLocalPort());
      }
    }
    int from = lowest;
    int to = highest;
    assertThat(reserved).noneMatch(port -> port >= from && port <= to);
  }

  @Test
  void theLastPortOfAllIsNotOffered() {
    RandomGenerator fromTheTop =
        new RandomGenerator() {
          private int drawn;

          @Override
          public long nextLong() {
            throw new AssertionError("only bounded numbers are asked for");
          }

          @Override
          public int nextInt(int bound) {
            return bound - ++drawn;
          }
        };
    ReservedPorts ports = new ReservedPorts(fromTheTop, List.of(32_768, 60_999));
    assertThat(ports.reserve(1, HERE)).allMatch(port -> port > 65_000 && port < 65_535);
    ports.release();
  }

  @Test
  void whereEveryPortMayBeAConnectionsPortsAreStillFound() {
    ReservedPorts ports = new ReservedPorts(new SplittableRandom(1), List.of(1_024, 65_535));
    assertThat(ports.reserve(3, HERE)).hasSize(3);
    ports.release();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aReservedPortIsAnotherProgramsNeverAndTheServersAtAnyTime() throws Exception {
    ReservedPorts ports = new ReservedPorts(new SplittableRandom(2));
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
    ReservedPorts one = new ReservedPorts(new SplittableRandom(3));
    ReservedPorts sameDraws = new ReservedPorts(new SplittableRandom(3));
    List<Integer> first = one.reserve(5, HERE);
    assertThat(sameDraws.reserve(5, HERE)).doesNotContainAnyElementsOf(first);
    one.release();
    sameDraws.release();
  }

  @Test
  void anAddressOfAnotherMachineIsOneSentence() {
    ReservedPorts ports = new ReservedPorts(new SplittableRandom(4));
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
