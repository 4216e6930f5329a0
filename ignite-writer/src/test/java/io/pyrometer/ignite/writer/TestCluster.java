package io.pyrometer.ignite.writer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.affinity.AffinityAssignment;
import org.apache.ignite.internal.processors.cache.CacheGroupContext;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/** Server nodes as real processes on loopback; they end with this JVM, whose pipes they read. */
final class TestCluster implements AutoCloseable {
  private static final int MOST_NODES = ServerProcess.MOST_NODES;
  private static final int SHARED = 3;
  private static final int PARTITIONS = 64;

  private static TestCluster shared;

  private final int firstPort;
  private final int thinThreads;
  private final List<Process> servers = new ArrayList<>();
  private final Path errors;

  private TestCluster(int firstPort, int thinThreads) throws IOException {
    this.firstPort = firstPort;
    this.thinThreads = thinThreads;
    this.errors = Files.createTempFile("servers", ".err");
  }

  /**
   * The cluster of three that all tests of this JVM share, which ends with it: whole, active and
   * without caches. A test closes its clients; what it has done to servers is undone here.
   */
  static synchronized TestCluster shared() throws Exception {
    if (shared == null) {
      shared = start(SHARED);
    }
    while (shared.servers.size() > SHARED) {
      shared.kill(shared.servers.size() - 1);
      shared.servers.remove(shared.servers.size() - 1);
    }
    shared.revive();
    try (IgniteClient janitor = shared.thin()) {
      Eventually.holds("whole", () -> janitor.cluster().forServers().nodes().size() == SHARED);
      janitor.cluster().state(ClusterState.ACTIVE);
      janitor.cacheNames().forEach(janitor::destroyCache);
    }
    return shared;
  }

  /** A cache with few partitions, as each costs every server work when the topology changes. */
  static <K, V> CacheConfiguration<K, V> cache(String name) {
    return new CacheConfiguration<K, V>(name)
        .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS));
  }

  static TestCluster start(int nodes) throws IOException {
    return start(nodes, 4, 0);
  }

  /**
   * Starts nodes that serve thin clients with so many threads each.
   *
   * @param idleMillis after which the last one closes connections of thin clients; 0 for never
   */
  static TestCluster start(int nodes, int thinThreads, int idleMillis) throws IOException {
    TestCluster cluster = new TestCluster(freePort(), thinThreads);
    for (int node = 0; node < nodes; node++) {
      cluster.servers.add(cluster.launch(node, node == nodes - 1 ? idleMillis : 0));
    }
    for (Process server : cluster.servers) {
      cluster.awaitReady(server);
    }
    return cluster;
  }

  /** The first of a block of ports that are all free now; a node of another test may be down. */
  private static int freePort() {
    int block = ServerProcess.thinPort(0, MOST_NODES);
    return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(11_000 / block))
        .map(number -> 20_000 + number * block)
        .filter(first -> IntStream.range(first, first + block).allMatch(TestCluster::isFree))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** Adds a node and waits until it has joined. */
  void join() throws IOException {
    servers.add(launch(servers.size(), 0));
    awaitReady(servers.get(servers.size() - 1));
  }

  /** Starts a node anew that was killed or stopped, and waits until it has joined. */
  void restart(int node) throws IOException {
    servers.set(node, launch(node, 0));
    awaitReady(servers.get(node));
  }

  /** Starts those nodes anew that have ended. */
  void revive() throws IOException {
    List<Process> revived = new ArrayList<>();
    for (int node = 0; node < servers.size(); node++) {
      if (!servers.get(node).isAlive()) {
        servers.set(node, launch(node, 0));
        revived.add(servers.get(node));
      }
    }
    for (Process server : revived) {
      awaitReady(server);
    }
  }

  /**
   * Waits until no change of the topology is under way: every partition is where it belongs. After
   * a server has joined, Ignite moves partitions in the background and then makes their new nodes
   * the primary ones; that exchange waits for all transactions, and new ones wait for it.
   */
  void awaitRebalanced(Ignite client) throws InterruptedException {
    Eventually.holds(
        "rebalanced",
        () ->
            client.cluster().forServers().nodes().size() == servers.size()
                && ((IgniteEx) client)
                    .context().cache().cacheGroups().stream().allMatch(TestCluster::isInPlace));
  }

  private static boolean isInPlace(CacheGroupContext group) {
    AffinityAssignment now = group.affinity().lastReadyAffinity();
    return now.assignment().equals(now.idealAssignment());
  }

  int nodes() {
    return servers.size();
  }

  private Process launch(int node, int idleMillis) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll( // a third of what a start takes
        List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.add("-DIGNITE_UPDATE_NOTIFIER=false");
    command.addAll(List.of("-DIGNITE_QUIET=true", "-Djava.net.preferIPv4Stack=true"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-DIGNITE_SKIP_CONFIGURATION_CONSISTENCY_CHECK=true"); // of clients' own SPIs
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ServerProcess.class.getName());
    command.addAll(List.of(String.valueOf(firstPort), String.valueOf(node)));
    command.addAll(List.of(String.valueOf(thinThreads), String.valueOf(idleMillis)));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
        .start();
  }

  private void awaitReady(Process server) throws IOException {
    BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("READY")) {
        return;
      }
      said.append(line).append('\n');
    }
    throw new IOException(
        "A server did not start: " + said + Files.readString(errors, StandardCharsets.UTF_8));
  }

  Ignite thick() {
    return thick("client", new TcpDiscoverySpi());
  }

  Ignite thick(String name, TcpDiscoverySpi discovery) {
    return thick(name, discovery, new TcpCommunicationSpi());
  }

  Ignite thick(String name, TcpDiscoverySpi discovery, TcpCommunicationSpi communication) {
    return Ignition.start(ServerProcess.client(firstPort, name, discovery, communication));
  }

  IgniteClient thin(EventListener... listeners) {
    String[] addresses =
        IntStream.range(0, servers.size())
            .mapToObj(node -> "127.0.0.1:" + ServerProcess.thinPort(firstPort, node))
            .toArray(String[]::new);
    return Ignition.startClient(
        thinConfiguration().setAddresses(addresses).setEventListeners(listeners));
  }

  /** A thin client that leaves writes in doubt alone, as the writer demands. */
  static ClientConfiguration thinConfiguration() {
    return new ClientConfiguration().setRetryPolicy(new ClientRetryReadPolicy());
  }

  int thinPort(int node) {
    return ServerProcess.thinPort(firstPort, node);
  }

  void kill(int node) throws InterruptedException {
    servers.get(node).destroyForcibly().waitFor();
  }

  /** Stops a node gracefully and waits until it has ended. */
  void stop(int node) throws IOException, InterruptedException {
    servers.get(node).getOutputStream().write('\n');
    servers.get(node).getOutputStream().flush();
    servers.get(node).waitFor();
  }

  void signal(int node, String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, String.valueOf(servers.get(node).pid()))
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    servers.forEach(Process::destroyForcibly);
    errors.toFile().delete();
  }
}
