package io.pyrometer.benchmarks;

import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Overhead, capacity and accuracy of the delays of a relay, with a peer in this process, or of a
 * switch between two namespaces, with a peer in each.
 */
public final class NetworkFigures {
  private static final int ROUNDS = 10;
  private static final int TRIPS = 3_000;
  private static final int SHAPED_TRIPS = 40;

  private final NetworkProcess network;
  private final Link direct;
  private final Link through;

  /** A connection to a peer that sends back what it gets, or swallows it. */
  private interface Link {
    /** Median of round trips of 128 bytes, µs. */
    double micros(int trips) throws IOException;

    /** Gbit/s that the peer swallowed. */
    double bulk() throws IOException;
  }

  private NetworkFigures(NetworkProcess network, Link direct, Link through) {
    this.network = network;
    this.direct = direct;
    this.through = through;
  }

  /** Takes {@code relay}, or {@code switch} as root; prints a table. */
  public static void main(String[] args) throws IOException {
    try (NetworkProcess network = new NetworkProcess()) {
      if (args[0].equals("relay")) {
        int port = Peer.serveHere();
        Command start = new Command.StartRelay(List.of("127.0.0.1:" + port));
        int relayed = ((Answer.Ports) network.ask(start)).ports().get(0);
        new NetworkFigures(network, here(port), here(relayed)).all();
      } else {
        ofSwitch(network);
      }
    }
  }

  private static Link here(int port) {
    return new Link() {
      @Override
      public double micros(int trips) throws IOException {
        return Peer.medianMicros(Peer.here(port), trips);
      }

      @Override
      public double bulk() throws IOException {
        return Peer.bulk(Peer.here(port));
      }
    };
  }

  private static void ofSwitch(NetworkProcess network) throws IOException {
    try (Namespaces namespaces = Namespaces.make(NamespaceCommands.SYSTEM, 2, 0)) {
      say("Two namespaces, %s.", Namespaces.LINKS);
      Answer unused = network.ask(new Command.StartSwitch(namespaces.devices()));
      namespaces.wire();
      Host client = namespaces.hosts().get(0);
      Host server = namespaces.hosts().get(1);
      Process near = started(client, "serve", client.address());
      Process far = started(server, "serve", server.address());
      try {
        Link direct = between(client, client, line(near));
        new NetworkFigures(network, direct, between(client, server, line(far))).all();
      } finally {
        near.destroy();
        far.destroy();
      }
    }
  }

  private static Link between(Host from, Host to, String port) {
    return new Link() {
      @Override
      public double micros(int trips) throws IOException {
        return Double.parseDouble(
            line(started(from, "trips", to.address(), port, String.valueOf(trips))));
      }

      @Override
      public double bulk() throws IOException {
        return Double.parseDouble(line(started(from, "bulk", to.address(), port)));
      }
    };
  }

  private static Process started(Host host, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(host.prefix());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Peer.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String line(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null) {
      throw new IOException("a process in a namespace ended without a word");
    }
    return line;
  }

  private void all() throws IOException {
    roundTrips();
    for (double millis : new double[] {0.5, 1, 5, 10, 50}) {
      network.shape(new Shape(millis / 1e3, 0, 0, 0));
      double trip = through.micros(SHAPED_TRIPS) / 1e3;
      say(
          "delay of %4.1f ms each way: round trip p50 %.3f ms, one way off by %+.3f ms",
          millis, trip, trip / 2 - millis);
    }
    say("not through it: %.2f Gbit/s", direct.bulk());
    for (double rate : new double[] {0, 1e9, 100e6, 10e6}) {
      network.shape(new Shape(0, 0, rate, 0));
      double cpu = network.cpuSeconds();
      double reached = through.bulk();
      say(
          "limit of %.2f Gbit/s (0: none): %.3f Gbit/s, %.2f cores",
          rate / 1e9, reached, (network.cpuSeconds() - cpu) / Peer.BULK_SECONDS);
    }
  }

  private void roundTrips() throws IOException {
    double[] without = new double[ROUNDS];
    double[] with = new double[ROUNDS];
    double cpu = network.cpuSeconds();
    for (int round = 0; round < ROUNDS; round++) {
      without[round] = direct.micros(TRIPS);
      with[round] = through.micros(TRIPS);
    }
    cpu = network.cpuSeconds() - cpu;
    double[] added = new double[ROUNDS];
    Arrays.setAll(added, i -> with[i] - without[i]);
    Arrays.sort(added);
    say(
        "round trip of 128 bytes, p50: %.1f µs without, %.1f µs through it; added %.1f µs (least"
            + " %.1f, most %.1f of %d rounds of %d trips), %.1f µs of CPU a trip",
        Peer.median(without),
        Peer.median(with),
        Peer.median(added),
        added[0],
        added[ROUNDS - 1],
        ROUNDS,
        TRIPS,
        cpu * 1e6 / ROUNDS / TRIPS);
  }

  private static void say(String format, Object... figures) {
    System.out.println(String.format(Locale.ROOT, format, figures));
  }
}
