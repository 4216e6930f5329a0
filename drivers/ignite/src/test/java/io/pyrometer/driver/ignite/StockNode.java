package io.pyrometer.driver.ignite;

import io.pyrometer.driver.Ports;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/**
 * Somebody's own server node: Apache Ignite as it comes, started by its own command, from its own
 * Spring XML, with nothing of Pyrometer on its class path.
 */
final class StockNode implements AutoCloseable {
  /** The cache that is there before Pyrometer comes. */
  static final String CACHE = "orders-of-others";

  private static final String LOG = "stock.log";
  private static final int MOST_STARTS = 3;
  private static final int START_SECONDS = 60;

  private static final String XML =
      """
      <beans xmlns="http://www.springframework.org/schema/beans"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.springframework.org/schema/beans
              http://www.springframework.org/schema/beans/spring-beans.xsd">
        <bean class="org.apache.ignite.configuration.IgniteConfiguration">
          <property name="localHost" value="%s"/>
          %s
          <property name="discoverySpi">
            <bean class="org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi">
              %s
              <property name="ipFinder">
                <bean class="org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder">
                  <property name="addresses" value="%s"/>
                </bean>
              </property>
            </bean>
          </property>
        </bean>
        %s
      </beans>
      """;

  /** Its cache has few partitions, because each of them is scanned. */
  private static final String SERVER =
      """
      <property name="workDirectory" value="%s"/>
      <property name="connectorConfiguration"><null/></property>
      <property name="cacheConfiguration">
        <bean class="org.apache.ignite.configuration.CacheConfiguration">
          <property name="name" value="%s"/>
          <property name="affinity">
            <bean class="org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction">
              <property name="partitions" value="32"/>
            </bean>
          </property>
        </bean>
      </property>
      <property name="communicationSpi">
        <bean class="org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi">
          <property name="localPort" value="%d"/>
        </bean>
      </property>
      """;

  /**
   * Where a node runs.
   *
   * @param prefix of its command
   * @param address that it binds to
   */
  record Place(List<String> prefix, String address) {
    static final Place HERE = new Place(List.of(), "127.0.0.1");
  }

  /** Flags without which Ignite does not start; users do not switch its beans off. */
  static List<String> flags() {
    return new IgniteDriver()
        .describe().jvmFlags(Runtime.version().feature()).stream()
            .filter(flag -> !flag.contains("MBEANS"))
            .toList();
  }

  private final Process process;
  private final int port;
  private final Path folder;
  private final Place place;
  private final Start start;

  private StockNode(Process process, int port, Path folder, Place place, Start start) {
    this.process = process;
    this.port = port;
    this.folder = folder;
    this.place = place;
    this.start = start;
  }

  /** Start of a node like this one. */
  private interface Start {
    StockNode in(Path folder) throws IOException, InterruptedException;
  }

  /**
   * Returns when clients can join it; another program may take a port that was free before.
   *
   * @param properties of its configuration besides
   */
  static StockNode start(Path folder, String properties) throws IOException, InterruptedException {
    return start(folder, properties, "-XX:+UseSerialGC", Optional.empty());
  }

  /**
   * Start with flags of its JVM, which may add to its class path.
   *
   * @param first of the cluster that it joins; empty for one of its own
   */
  static StockNode start(Path folder, String properties, String flags, Optional<StockNode> first)
      throws IOException, InterruptedException {
    return start(folder, properties, flags, first, Place.HERE);
  }

  static StockNode start(
      Path folder, String properties, String flags, Optional<StockNode> first, Place place)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    for (int starts = 1; ; starts++) {
      StockNode node = begin(folder, properties, flags, first, place);
      if (node.started()) {
        return node;
      }
      node.process.destroyForcibly().waitFor();
      if (starts == MOST_STARTS) {
        throw new IllegalStateException(
            "The stock node did not start: " + Files.readString(folder.resolve(LOG)));
      }
    }
  }

  private boolean started() throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (process.isAlive() && System.nanoTime() < until) {
      if (Files.readString(folder.resolve(LOG)).contains("Ignite node started OK")) {
        return true;
      }
      Thread.sleep(50);
    }
    return false;
  }

  private static StockNode begin(
      Path folder, String properties, String flags, Optional<StockNode> first, Place place)
      throws IOException {
    // A network of its own has no address here, and all ports are free there.
    String here = place.prefix.isEmpty() ? place.address : Place.HERE.address;
    int port = Ports.free(here);
    String peer = first.map(StockNode::address).orElse(place.address + ":" + port);
    Path xml = folder.resolve("own.xml");
    String server = SERVER.formatted(folder, CACHE, Ports.free(here));
    String localPort = "<property name=\"localPort\" value=\"%d\"/>".formatted(port);
    Files.writeString(xml, XML.formatted(place.address, server + properties, localPort, peer, ""));
    List<String> command = new ArrayList<>(place.prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    if (!flags.contains("-Xm")) {
      command.add("-Xmx512m");
    }
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", withoutOurs()));
    // A third of what a start takes.
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(Stream.of(flags.split(" ", -1)).filter(flag -> !flag.isEmpty()).toList());
    command.add("org.apache.ignite.startup.cmdline.CommandLineStartup");
    command.add(xml.toString());
    File log = folder.resolve(LOG).toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    Start like = other -> start(other, properties, flags, first, place);
    return new StockNode(process, port, folder, place, like);
  }

  /** The class path without Pyrometer's classes. */
  static String withoutOurs() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("pyrometer"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Writes a file as clients of this node would be configured with.
   *
   * @param properties of the configuration besides host and discovery
   * @param beans besides the configuration
   */
  Path clientFile(Path file, String properties, String beans) throws IOException {
    return Files.writeString(file, XML.formatted(place.address, properties, "", address(), beans));
  }

  String address() {
    return place.address + ":" + port;
  }

  /** The configuration of a thick client of this node, as an application has it. */
  IgniteConfiguration client(String name) {
    return new IgniteConfiguration()
        .setIgniteInstanceName(name)
        .setClientMode(true)
        .setLocalHost(place.address)
        .setWorkDirectory(folder.resolve(name).toString())
        .setDiscoverySpi(
            new TcpDiscoverySpi()
                .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(List.of(address()))));
  }

  Command.OpenSession attaching() {
    return attaching(7, List.of(address()), Optional.empty());
  }

  /** The session of an agent of this JVM, on the grid that the file names. */
  Command.OpenSession attaching(int agent, Path config) {
    return attaching(agent, List.of(), Optional.of(config.toString()));
  }

  private Command.OpenSession attaching(int agent, List<String> peers, Optional<String> config) {
    String work = folder.resolve("agent-" + agent).toString();
    return new Command.OpenSession(agent, 1, peers, List.of(), config, true, work, Settings.NONE);
  }

  /** Kills it and starts it again with the same folder. */
  StockNode restart() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    return start.in(folder);
  }

  /** Starts another node of the same cluster; this one is not its first. */
  StockNode another() throws IOException, InterruptedException {
    return start.in(folder.resolveSibling(folder.getFileName() + "-other"));
  }

  /** Runs a command where it runs, in its network. */
  void run(String command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(place.prefix);
    all.addAll(List.of(command.split(" ", -1)));
    if (new ProcessBuilder(all).inheritIO().start().waitFor() != 0) {
      throw new IOException("failed: " + String.join(" ", all));
    }
  }

  long pid() {
    return process.pid();
  }

  void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", signal, "" + pid()).start().waitFor();
  }

  /** As a quota of a tenth of a CPU lets it; ends when the process does. */
  void runSometimes() throws IOException {
    new ProcessBuilder(
            "timeout",
            "60",
            "sh",
            "-c",
            "while kill -STOP $0 2>/dev/null; do sleep 0.18; kill -CONT $0; sleep 0.02; done",
            "" + pid())
        .start();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
