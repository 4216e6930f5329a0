package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.cli.Pyrometer.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts with a network of their own, where the machine lets us make one. */
@Tag("extended")
@ExtendWith(OneUserOfNamespaces.class)
class HostsInNamespacesIT {
  private static final List<String> MAKE =
      List.of(
          "ip netns add pyro-1",
          "ip netns add pyro-2",
          "ip -n pyro-1 link add eth0 type veth peer name eth0 netns pyro-2",
          "ip -n pyro-1 addr add 10.203.78.1/24 dev eth0",
          "ip -n pyro-2 addr add 10.203.78.2/24 dev eth0",
          "ip -n pyro-1 link set eth0 up",
          "ip -n pyro-2 link set eth0 up");
  private static final List<String> REMOVE = List.of("ip netns del pyro-1", "ip netns del pyro-2");

  /** What the first sends to the second goes to an Ethernet address that nobody has. */
  private static final String DROP =
      "ip -n pyro-1 neigh replace 10.203.78.2 lladdr 02:00:00:00:00:09 dev eth0 nud permanent";

  @TempDir Path folder;

  @BeforeEach
  void makeNamespaces() throws Exception {
    removeNamespaces();
    for (String command : MAKE) {
      assumeTrue(
          OneUserOfNamespaces.exitCode(command) == 0, "this machine does not let us: " + command);
    }
    Files.writeString(
        folder.resolve("two.yaml"),
        """
        pyrometer: 1
        name: two
        question: Do they reach each other?
        grid: {driver: "null"}
        workload: {record: stock-order, records: 2000, path: put}
        hosts:
          - {name: one, command: ip netns exec pyro-1, address: 10.203.78.1, folder: %1$s, java: %2$s}
          - {name: two, command: ip netns exec pyro-2, address: 10.203.78.2, folder: %1$s, java: %2$s}
        """
            .formatted(folder, Path.of(System.getProperty("java.home"), "bin", "java")));
  }

  @AfterEach
  void removeNamespaces() throws Exception {
    for (String command : REMOVE) {
      int unused = OneUserOfNamespaces.exitCode(command);
    }
  }

  @Test
  void packetsThatAreDroppedWithoutAnAnswerAreFoundInBothDirections() throws Exception {
    Pyrometer pyrometer = new Pyrometer(folder);
    Ended before = pyrometer.run("hosts", "check", "two.yaml");
    assertThat(before.code()).as(before.out() + before.err()).isZero();
    assertThat(OneUserOfNamespaces.exitCode(DROP)).isZero();
    Ended after = pyrometer.run("hosts", "check", "two.yaml");
    assertThat(after.code()).isEqualTo(1);
    assertThat(after.out().replaceAll("\\s+", " "))
        .contains(
            "one does not reach host 'two' (ip netns exec pyro-2) at 10.203.78.2 (connect timed out)",
            "two does not reach host 'one' (ip netns exec pyro-1) at 10.203.78.1 (connect timed out)",
            "A run cannot start");
    Ended run = pyrometer.run("run", "two.yaml");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("one does not reach host 'two'");
    assertThat(folder.resolve("runs")).doesNotExist();
  }
}
