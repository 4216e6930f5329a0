package io.pyrometer.driver.ignite;

import io.pyrometer.driver.Address;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Server nodes as processes of their own; they end with this JVM, whose pipes they read. */
final class Cluster implements AutoCloseable {
  private final List<Process> processes = new ArrayList<>();
  private final List<String> peers;
  private final List<String> clientAddresses = new ArrayList<>();
  private final Path folder;
  private final Optional<String> config;

  private Cluster(Path folder, Optional<String> config, List<String> peers) {
    this.folder = folder;
    this.config = config;
    this.peers = peers;
  }

  static Cluster start(int nodes, Path folder) throws IOException {
    return start(nodes, folder, Optional.empty(), Settings.NONE);
  }

  static Cluster start(int nodes, Path folder, Optional<String> config, Settings settings)
      throws IOException {
    List<Integer> ports = freePorts(2 * nodes);
    Cluster cluster =
        new Cluster(
            folder,
            config,
            ports.subList(0, nodes).stream().map(port -> "127.0.0.1:" + port).toList());
    for (int node = 0; node < nodes; node++) {
      cluster.launch(node, nodes, List.of(ports.get(node), ports.get(nodes + node)), settings);
    }
    for (Process process : cluster.processes) {
      String address = process.inputReader(StandardCharsets.UTF_8).readLine();
      if (address == null) {
        throw new IOException("A node did not start; its log lies in " + folder);
      }
      cluster.clientAddresses.add(address);
    }
    return cluster;
  }

  private static List<Integer> freePorts(int count) {
    return Stream.generate(() -> Address.freePort("127.0.0.1")).distinct().limit(count).toList();
  }

  private void launch(int index, int nodes, List<Integer> ports, Settings settings)
      throws IOException {
    Path work = Files.createDirectories(folder.resolve("node-" + index));
    Command.StartServer spec =
        new Command.StartServer(index, nodes, ports, peers, config, work.toString(), settings);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(new IgniteDriver().describe().jvmFlags(Runtime.version().feature()));
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1")); // starts in half the CPU time
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NodeProcess.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(work.resolve("log").toFile()).start();
    processes.add(process);
    process
        .outputWriter(StandardCharsets.UTF_8)
        .append(Json.LINES.writeValueAsString(spec))
        .append('\n')
        .flush();
  }

  Command.OpenSession session(boolean attached) {
    return session(attached, Settings.NONE);
  }

  Command.OpenSession session(boolean attached, Settings settings) {
    return new Command.OpenSession(
        attached ? 7 : 0,
        1,
        peers,
        clientAddresses,
        attached ? Optional.empty() : config,
        attached,
        folder.resolve("agent").toString(),
        settings);
  }

  /** Ends one node as {@code kill -9} does. */
  void kill(int node) {
    processes.get(node).destroyForcibly();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
