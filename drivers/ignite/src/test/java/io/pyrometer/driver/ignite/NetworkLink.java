package io.pyrometer.driver.ignite;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrometer.driver.ignite.StockNode.Place;
import java.io.IOException;
import java.util.List;

/** A network namespace behind a link; needs root. */
final class NetworkLink implements AutoCloseable {
  private static final String HERE = "10.203.79.1";
  private static final String THERE = "10.203.79.2";
  private final String name = "pyro-s" + ProcessHandle.current().pid();

  private NetworkLink() {}

  static NetworkLink make() throws IOException {
    NetworkLink link = new NetworkLink();
    try {
      link.run("ip netns add " + link.name);
      link.run("ip link add " + link.name + " type veth peer name eth0 netns " + link.name);
      link.run("ip addr add " + HERE + "/30 dev " + link.name);
      link.run("ip link set " + link.name + " up");
      link.run("ip -n " + link.name + " addr add " + THERE + "/30 dev eth0");
      link.run("ip -n " + link.name + " link set eth0 up");
      link.run("ip -n " + link.name + " link set lo up");
      return link;
    } catch (IOException refused) {
      link.close();
      throw refused;
    }
  }

  Place here() {
    return new Place(List.of(), HERE);
  }

  Place there() {
    return new Place(List.of("ip", "netns", "exec", name), THERE);
  }

  private void run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ", -1)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(command + ": " + said.strip());
    }
  }

  /** The link goes with its other end. */
  @Override
  public void close() throws IOException {
    run("ip netns del " + name);
  }
}
