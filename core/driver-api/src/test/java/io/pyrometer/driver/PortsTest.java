package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PortsTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final List<Integer> USUAL = List.of(32_768, 60_999);

  @Test
  @EnabledOnOs(OS.LINUX)
  void portsOfOutgoingConnectionsAreAllOnOneSideOfTheDrawnOnes() throws Exception {
    List<Integer> drawn = Stream.generate(() -> Ports.free("127.0.0.1")).limit(50).toList();
    int lowest = Integer.MAX_VALUE;
    int highest = 0;
    for (int i = 0; i < 500; i++) {
      try (ServerSocket any = new ServerSocket(0, 1, HERE)) {
        lowest = Math.min(lowest, any.getLocalPort());
        highest = Math.max(highest, any.getLocalPort());
      }
    }
    int from = lowest;
    int to = highest;
    assertThat(drawn).noneMatch(port -> port >= from && port <= to);
  }

  @Test
  void theLastPortOfAllIsNotOffered() throws Exception {
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
    assertThat(new Ports(fromTheTop, USUAL).draw(HERE)).isBetween(65_000, 65_534);
  }

  @Test
  void whereEveryPortMayBeAConnectionsOneIsStillFound() throws Exception {
    assertThat(new Ports(new SplittableRandom(1), List.of(1_024, 65_535)).draw(HERE)).isPositive();
  }

  @Test
  void aPortThatIsTakenIsNotOffered() throws Exception {
    int first = new Ports(new SplittableRandom(2), USUAL).draw(HERE);
    try (ServerSocket other = new ServerSocket(first, 1, HERE)) {
      assertThat(new Ports(new SplittableRandom(2), USUAL).draw(HERE))
          .isNotEqualTo(other.getLocalPort());
    }
  }

  @Test
  void anAddressOfAnotherMachineHasNoPort() throws Exception {
    InetAddress there = InetAddress.getByName("192.0.2.1");
    assertThatThrownBy(() -> new Ports(new SplittableRandom(3)).draw(there))
        .isInstanceOf(IOException.class);
  }
}
