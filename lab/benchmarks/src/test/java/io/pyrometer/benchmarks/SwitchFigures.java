package io.pyrometer.benchmarks;

import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Overhead, capacity and accuracy of a link between two namespaces. Needs what {@link Namespaces}
 * needs.
 */
public final class SwitchFigures {
  private static final int ROUNDS = 5;
  private static final int TRIPS = 5_000;
  private static final int SHAPED_TRIPS = 40;

  private final NetworkProcess network;
  private final Host client;
  private final Host server;

  private SwitchFigures(Namespaces namespaces, NetworkProcess network) {
    this.network = network;
    this.client = namespaces.hosts().get(0);
    this.server = namespaces.hosts().get(1);
  }

  /** Takes nothing; prints a table. */
  public static void main(String[] args) throws IOException {
    try (Namespaces namespaces = Namespaces.make(NamespaceCommands.SYSTEM, 2, 0);
        NetworkProcess network = new NetworkProcess()) {
      System.out.println("Two namespaces, " + Namespaces.LINKS + ".");
      network.ask(new Command.StartSwitch(namespaces.devices()));
      namespaces.wire();
      new SwitchFigures(namespaces, network).all();
    }
  }

  private void all() throws IOException {
    Process far = started(server, "serve", server.address());
    Process near = started(client, "serve", client.address());
    try {
      String farPort = line(far);
      roundTrips(farPort, line(near));
      delays(farPort);
      rates(farPort);
    } finally {
      far.destroy();
      near.destroy();
    }
  }

  private void roundTrips(String farPort, String nearPort) throws IOException {
    double[] near = new double[ROUNDS];
    double[] far = new double[ROUNDS];
    double cpu = 0;
    for (int round = 0; round < ROUNDS; round++) {
      near[round] = client("trips", client.address(), nearPort, String.valueOf(TRIPS));
      double before = network.cpuSeconds();
      far[round] = client("trips", server.address(), farPort, String.valueOf(TRIPS));
      cpu += network.cpuSeconds() - before;
    }
    say(
        "round trip of 128 bytes, p50: %.1f µs inside one namespace, %.1f µs between two (%d rounds"
            + " of %d trips), %.1f µs of CPU of the switch a trip",
        Peer.median(near), Peer.median(far), ROUNDS, TRIPS, cpu * 1e6 / ROUNDS / TRIPS);
  }

  private void delays(String port) throws IOException {
    for (double millis : new double[] {0.5, 1, 5, 10, 50}) {
      shape(new Shape(millis / 1e3, 0, 0, 0));
      double trip = client("trips", server.address(), port, String.valueOf(SHAPED_TRIPS)) / 1e3;
      say(
          "delay of %4.1f ms each way: round trip p50 %.3f ms, one way off by %+.3f ms",
          millis, trip, trip / 2 - millis);
    }
  }

  private void rates(String port) throws IOException {
    for (double rate : new double[] {0, 1e9, 100e6, 10e6}) {
      shape(new Shape(0, 0, rate, 0));
      double before = network.cpuSeconds();
      double reached = client("bulk", server.address(), port);
      say(
          "%s: %.3f Gbit/s, %.2f cores of the switch",
          rate == 0 ? "no limit" : String.format(Locale.ROOT, "limit of %.2f Gbit/s", rate / 1e9),
          reached,
          (network.cpuSeconds() - before) / Peer.BULK_SECONDS);
    }
  }

  private void shape(Shape shape) throws IOException {
    network.shape(shape);
  }

  private double client(String... arguments) throws IOException {
    Process process = started(client, arguments);
    return Double.parseDouble(line(process));
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

  private static void say(String format, Object... figures) {
    System.out.println(String.format(Locale.ROOT, format, figures));
  }
}
