package io.pyrometer.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;

/**
 * Network namespaces {@code pyro-1}, {@code pyro-2} … of this machine, whose {@code eth0} have the
 * addresses 10.203.77.1, 10.203.77.2 …, and a bridge with the address 10.203.77.254, to which
 * {@code pyro-v1}, {@code pyro-v2} … connect them.
 */
final class BridgedNamespaces {
  private BridgedNamespaces() {}

  static String address(int number) {
    return "10.203.77." + number;
  }

  /** Skips the test where the machine does not let us. */
  static void make(int count) throws InterruptedException {
    remove(count);
    List<String> commands =
        new ArrayList<>(
            List.of(
                "ip link add pyro-br type bridge",
                "ip addr add 10.203.77.254/24 dev pyro-br",
                "ip link set pyro-br up"));
    for (int i = 1; i <= count; i++) {
      commands.add("ip netns add pyro-" + i);
      commands.add("ip link add pyro-v%1$d type veth peer name eth0 netns pyro-%1$d".formatted(i));
      commands.add("ip link set pyro-v%d master pyro-br up".formatted(i));
      commands.add("ip -n pyro-%d addr add %s/24 dev eth0".formatted(i, address(i)));
      commands.add("ip -n pyro-%d link set eth0 up".formatted(i));
      commands.add("ip -n pyro-%d link set lo up".formatted(i));
    }
    for (String command : commands) {
      assumeTrue(
          OneUserOfNamespaces.exitCode(command) == 0, "this machine does not let us: " + command);
    }
  }

  static void remove(int count) throws InterruptedException {
    for (int i = 1; i <= count; i++) {
      int unused = OneUserOfNamespaces.exitCode("ip netns del pyro-" + i);
    }
    int unused = OneUserOfNamespaces.exitCode("ip link del pyro-br");
  }
}
