package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.driver.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster that somebody else runs, with nothing of Pyrometer on its class path. The log of its
 * first node tells the caches that come and go.
 */
final class TheirCluster implements AutoCloseable {
  static final String CACHE = "orders-of-others";

  private static final Path DIST = Path.of(System.getProperty("pyrometer.dist"));
  private static final Pattern STARTED = Pattern.compile("Started cache \\[name=([^,]+),");
  private static final Pattern PORTS = Pattern.compile("Local ports: .*TCP:(108\\d\\d)");
  private static final Pattern STOPPED = Pattern.compile("Stopped cache \\[cacheName=([^,\\]]+)");
  private static final String BEANS =
      """
      <beans xmlns="http://www.springframework.org/schema/beans"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.springframework.org/schema/beans
              http://www.springframework.org/schema/beans/spring-beans.xsd">
        <bean class="org.apache.ignite.configuration.IgniteConfiguration">
          <property name="localHost" value="127.0.0.1"/>
          %s
          <property name="discoverySpi">
            <bean class="org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi">
              %s
              <property name="ipFinder">
                <bean class="org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder">
                  <property name="addresses" value="#{'%s'.split(',')}"/>
                </bean>
              </property>
            </bean>
          </property>
        </bean>
      </beans>
      """;

  private static final String SERVER =
      """
      <property name="workDirectory" value="%s"/>
      <property name="connectorConfiguration"><null/></property>
      <property name="dataStorageConfiguration">
        <bean class="org.apache.ignite.configuration.DataStorageConfiguration">
          <property name="defaultDataRegionConfiguration">
            <bean class="org.apache.ignite.configuration.DataRegionConfiguration">
              <property name="maxSize" value="%d"/>
            </bean>
          </property>
        </bean>
      </property>
      <property name="cacheConfiguration">
        <bean class="org.apache.ignite.configuration.CacheConfiguration">
          <property name="name" value="%s"/>
          %s
        </bean>
      </property>
      """;

  private static final String JMX =
      """
      -Dcom.sun.management.jmxremote.port=%1$d
      -Dcom.sun.management.jmxremote.rmi.port=%1$d
      -Dcom.sun.management.jmxremote.host=127.0.0.1
      -Djava.rmi.server.hostname=127.0.0.1
      -Dcom.sun.management.jmxremote.authenticate=false
      -Dcom.sun.management.jmxremote.ssl=false
      """;

  private final List<Process> nodes;
  private final Path log;

  /** Where it is attached to: host:port of each node. */
  final String address;

  private TheirCluster(List<Process> nodes, Path log, String address) {
    this.nodes = nodes;
    this.log = log;
    this.address = address;
  }

  /**
   * @param regionBytes the memory of each node for data
   * @param heap of each node, such as {@code 512m}
   * @param jmx whether each node has a JMX port, without user and password
   */
  static TheirCluster start(Path folder, int count, long regionBytes, String heap, boolean jmx)
      throws Exception {
    return start(folder, count, regionBytes, heap, jmx, "", Optional.empty());
  }

  /**
   * Variant with a cache of further properties, whose classes are in a folder.
   *
   * @param property of the cache's bean
   */
  static TheirCluster start(
      Path folder,
      int count,
      long regionBytes,
      String heap,
      boolean jmx,
      String property,
      Optional<Path> classes)
      throws Exception {
    List<String> addresses =
        Stream.generate(() -> "127.0.0.1:" + Ports.free("127.0.0.1")).limit(count).toList();
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("-DIGNITE_QUIET=false", "-Xmx" + heap, "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.add("-cp");
    command.add(withoutOurs() + classes.map(path -> File.pathSeparator + path).orElse(""));
    command.add("org.apache.ignite.startup.cmdline.CommandLineStartup");
    List<Process> nodes = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      Path xml = folder.resolve("theirs-%d.xml".formatted(node));
      Files.writeString(
          xml,
          BEANS.formatted(
              SERVER.formatted(folder.resolve("theirs"), regionBytes, CACHE, property),
              "<property name=\"localPort\" value=\"%s\"/>"
                  .formatted(addresses.get(node).replaceFirst(".*:", "")),
              String.join(",", addresses)));
      List<String> own = new ArrayList<>(command);
      if (jmx) {
        own.addAll(1, JMX.formatted(Ports.free("127.0.0.1")).lines().toList());
      }
      own.add(xml.toString());
      nodes.add(
          new ProcessBuilder(own)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("theirs-%d.log".formatted(node)).toFile())
              .start());
    }
    TheirCluster theirs =
        new TheirCluster(nodes, folder.resolve("theirs-0.log"), String.join(",", addresses));
    Pyrometer.await(
        "their nodes",
        () -> theirs.text().contains("servers=%d,".formatted(count)) || !theirs.alive());
    return theirs;
  }

  /**
   * Executes a Java program of one file with the product on its class path.
   *
   * @param source the program, whose argument is the address of a server for thin clients
   */
  void execute(Path folder, String name, String source) throws Exception {
    Pyrometer.await("its ports", () -> PORTS.matcher(text()).find() || !alive());
    MatchResult ports = PORTS.matcher(text()).results().findFirst().orElseThrow();
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source);
    List<String> program = new ArrayList<>(java());
    program.addAll(List.of("-cp", withoutOurs(), file.toString(), "127.0.0.1:" + ports.group(1)));
    Path output = folder.resolve(name + ".log");
    Process process =
        new ProcessBuilder(program)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new AssertionError(Files.readString(output));
    }
  }

  /** The command of a JVM with the flags that the product needs. */
  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    new Distribution(DIST)
        .drivers().stream()
            .filter(driver -> driver.name().equals("ignite"))
            .forEach(driver -> command.addAll(driver.jvmFlags(Runtime.version().feature())));
    return command;
  }

  static String withoutOurs() throws IOException {
    try (Stream<Path> jars = Files.list(DIST.resolve("drivers/ignite"))) {
      return jars.filter(jar -> jar.toString().endsWith(".jar"))
          .filter(jar -> !jar.getFileName().toString().startsWith("pyrometer-"))
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  /** The configuration of a client. */
  String clientXml() {
    return BEANS.formatted("", "", address);
  }

  private String text() {
    try {
      return Files.readString(log);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  boolean alive() {
    return nodes.stream().allMatch(Process::isAlive);
  }

  /** Names of the caches that it has started, in order. */
  List<String> started() {
    return names(STARTED);
  }

  /** Those that it has started and not stopped. */
  List<String> left() {
    TreeSet<String> left = new TreeSet<>(started());
    names(STOPPED).forEach(left::remove);
    return List.copyOf(left);
  }

  private List<String> names(Pattern pattern) {
    return pattern.matcher(text()).results().map(found -> found.group(1)).toList();
  }

  @Override
  public void close() {
    nodes.forEach(Process::destroyForcibly);
  }
}
