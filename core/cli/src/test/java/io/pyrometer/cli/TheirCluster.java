package io.pyrometer.cli;

import io.pyrometer.coordinator.testbed.host.Distribution;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of one node that somebody else runs, with nothing of Pyrometer on its class path. Its
 * log tells the caches that come and go.
 */
final class TheirCluster implements AutoCloseable {
  static final String CACHE = "orders-of-others";

  private static final Path DIST = Path.of(System.getProperty("pyrometer.dist"));
  private static final Pattern STARTED = Pattern.compile("Started cache \\[name=([^,]+),");
  private static final Pattern STOPPED = Pattern.compile("Stopped cache \\[cacheName=([^,\\]]+)");
  private static final String XML =
      """
      <beans xmlns="http://www.springframework.org/schema/beans"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.springframework.org/schema/beans
              http://www.springframework.org/schema/beans/spring-beans.xsd">
        <bean class="org.apache.ignite.configuration.IgniteConfiguration">
          <property name="localHost" value="127.0.0.1"/>
          <property name="workDirectory" value="%s"/>
          <property name="connectorConfiguration"><null/></property>
          <property name="cacheConfiguration">
            <bean class="org.apache.ignite.configuration.CacheConfiguration">
              <property name="name" value="%s"/>
            </bean>
          </property>
          <property name="discoverySpi">
            <bean class="org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi">
              <property name="localPort" value="%d"/>
              <property name="ipFinder">
                <bean class="org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder">
                  <property name="addresses" value="%s"/>
                </bean>
              </property>
            </bean>
          </property>
        </bean>
      </beans>
      """;

  private final Process process;
  private final Path log;

  /** Where it is attached to: host:port. */
  final String address;

  private TheirCluster(Process process, Path log, String address) {
    this.process = process;
    this.log = log;
    this.address = address;
  }

  static TheirCluster start(Path folder) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String address = "127.0.0.1:" + port;
    Path xml = folder.resolve("theirs.xml");
    Files.writeString(xml, XML.formatted(folder.resolve("theirs"), CACHE, port, address));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    new Distribution(DIST)
        .drivers().stream()
            .filter(driver -> driver.name().equals("ignite"))
            .forEach(driver -> command.addAll(driver.jvmFlags(Runtime.version().feature())));
    command.addAll(List.of("-DIGNITE_QUIET=false", "-Xmx512m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", withoutOurs()));
    command.addAll(List.of("org.apache.ignite.startup.cmdline.CommandLineStartup", xml.toString()));
    Path log = folder.resolve("theirs.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    TheirCluster theirs = new TheirCluster(process, log, address);
    Pyrometer.await(
        "their node", () -> theirs.text().contains("Topology snapshot") || !process.isAlive());
    return theirs;
  }

  private static String withoutOurs() throws IOException {
    try (Stream<Path> jars = Files.list(DIST.resolve("drivers/ignite"))) {
      return jars.map(Path::toString)
          .filter(jar -> jar.endsWith(".jar") && !jar.contains("pyrometer-"))
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private String text() {
    try {
      return Files.readString(log);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  boolean alive() {
    return process.isAlive();
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
    process.destroyForcibly();
  }
}
