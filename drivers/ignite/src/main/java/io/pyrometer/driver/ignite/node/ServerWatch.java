package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.JmxAccess;
import io.pyrometer.driver.JmxProcess;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.protocol.Answer;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.IgniteNodeAttributes;

/**
 * The servers of a cluster that Pyrometer did not start. Ignite counts no CPU time, only loads of
 * intervals, so that it is read at the JMX port that each server names among the flags of its JVM,
 * or at the addresses that the user names. A connection is taken for that of a server whose process
 * has the same id and began in the same millisecond: the same address may lead elsewhere from here.
 * Where nothing is named, a server of this machine without JMX is known by its process.
 */
public final class ServerWatch implements AutoCloseable {
  private static final Pattern PORT =
      Pattern.compile("-Dcom\\.sun\\.management\\.jmxremote\\.port=(\\d+)");

  /** Nodes send theirs every two seconds by default. */
  private static final Duration METRICS = Duration.ofSeconds(5);

  /** Between the starts of a process, counted in ticks since the boot, and of its JVM. */
  private static final Duration SAME_START = Duration.ofSeconds(5);

  private final List<JmxProcess> connections = new ArrayList<>();
  private final Map<ClusterNode, JmxProcess> ofNodes = new HashMap<>();
  private final WatchedServers watched;

  /** Begins to watch all servers that form the cluster. */
  public ServerWatch(Ignite ignite, List<String> addresses, JmxAccess access) {
    List<ClusterNode> nodes =
        ignite.cluster().forServers().nodes().stream()
            .sorted(Comparator.comparingLong(ClusterNode::order))
            .toList();
    Map<ClusterNode, List<String>> tried = new LinkedHashMap<>();
    nodes.forEach(node -> tried.put(node, addresses.isEmpty() ? addresses(node) : addresses));
    Map<String, Object> answers =
        connect(tried.values().stream().flatMap(List::stream).distinct().toList(), access);
    Optional<String> unknown = Optional.empty();
    List<WatchedServer> servers = new ArrayList<>();
    for (ClusterNode node : nodes) {
      Optional<JmxProcess> told =
          tried.getOrDefault(node, List.of()).stream()
              .map(answers::get)
              .filter(JmxProcess.class::isInstance)
              .map(JmxProcess.class::cast)
              .filter(process -> isOf(node, process))
              .findFirst();
      told.ifPresent(process -> ofNodes.put(node, process));
      Optional<Long> process =
          told.isEmpty() && addresses.isEmpty()
              ? processHere(node).map(ProcessHandle::pid)
              : Optional.empty();
      if (told.isEmpty() && process.isEmpty() && unknown.isEmpty()) {
        unknown = Optional.of(whyNot(node, tried.getOrDefault(node, List.of()), answers));
      }
      Optional<String> host = Optional.of(hardwareAddresses(node)).filter(at -> !isHere(node));
      servers.add(new Watched(ignite, node, told, process, host));
    }
    watched = new WatchedServers(servers, unknown);
  }

  public WatchedServers servers() {
    return watched;
  }

  /** The JMX connection to a server's JVM, if there is one. */
  public Optional<JmxProcess> connection(ClusterNode node) {
    return Optional.ofNullable(ofNodes.get(node));
  }

  private static List<String> addresses(ClusterNode node) {
    Matcher port = PORT.matcher(jvmFlags(node));
    return port.find()
        ? node.addresses().stream().map(host -> host(host) + ":" + port.group(1)).toList()
        : List.of();
  }

  private static String host(String address) {
    return address.contains(":") ? "[" + address.replaceFirst("%.*", "") + "]" : address;
  }

  private static String jvmFlags(ClusterNode node) {
    return String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_ARGS));
  }

  /** At all addresses at once: a process, or the sentence that says why there is none. */
  private Map<String, Object> connect(List<String> addresses, JmxAccess access) {
    ExecutorService connecting = Executors.newCachedThreadPool();
    try {
      Map<String, CompletableFuture<JmxProcess>> futures = new LinkedHashMap<>();
      addresses.forEach(
          address ->
              futures.put(
                  address,
                  CompletableFuture.supplyAsync(
                      () -> JmxProcess.connect(address, access), connecting)));
      Map<String, Object> answers = new LinkedHashMap<>();
      futures.forEach((address, future) -> answers.put(address, answer(future)));
      return answers;
    } finally {
      connecting.shutdown();
    }
  }

  private Object answer(CompletableFuture<JmxProcess> future) {
    try {
      JmxProcess process = future.join();
      connections.add(process);
      return process;
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof GridException known) {
        return String.valueOf(known.getMessage());
      }
      throw failure;
    }
  }

  /** The metrics of a node arrive some time after the client has joined. */
  private static boolean startIsKnown(ClusterNode node) {
    return Poll.until(METRICS, () -> node.metrics().getStartTime() > 0);
  }

  /**
   * The process of a node on this machine; empty where it is elsewhere or in a container, where the
   * same id is that of another process, with another start.
   */
  public static Optional<ProcessHandle> processHere(ClusterNode node) {
    String id = String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_PID));
    if (!id.matches("\\d+") || !isHere(node) || !startIsKnown(node)) {
      return Optional.empty();
    }
    Instant start = Instant.ofEpochMilli(node.metrics().getStartTime());
    return ProcessHandle.of(Long.parseLong(id))
        .filter(
            process ->
                process
                    .info()
                    .startInstant()
                    .filter(own -> Duration.between(own, start).abs().compareTo(SAME_START) < 0)
                    .isPresent());
  }

  private static boolean isOf(ClusterNode node, JmxProcess process) {
    try {
      return startIsKnown(node)
          && process.is(
              String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_JVM_PID)),
              node.metrics().getStartTime());
    } catch (GridException silent) {
      return false;
    }
  }

  private static String whyNot(ClusterNode node, List<String> tried, Map<String, Object> answers) {
    String name = "server " + node.consistentId();
    if (tried.isEmpty()) {
      return "%s has no JMX port; start it with -Dcom.sun.management.jmxremote.port, or set 'jmx'."
          .formatted(name);
    }
    return tried.stream()
        .map(answers::get)
        .filter(String.class::isInstance)
        .map(why -> "%s cannot be read; %s".formatted(name, why))
        .findFirst()
        .orElse(
            "what answers at %s is not %s; correct 'jmx'."
                .formatted(String.join(", ", tried), name));
  }

  /**
   * Returns whether a node is on this machine, by the hardware addresses of its network devices.
   */
  public static boolean isHere(ClusterNode node) {
    String addresses = hardwareAddresses(node);
    try {
      return NetworkInterface.networkInterfaces()
          .map(ServerWatch::address)
          .anyMatch(own -> !own.isEmpty() && addresses.contains(own));
    } catch (SocketException unknown) {
      return false;
    }
  }

  /** Hardware addresses, which the nodes of one machine share. */
  public static String hardwareAddresses(ClusterNode node) {
    return String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_MACS));
  }

  private static String address(NetworkInterface device) {
    try {
      byte[] address = device.getHardwareAddress();
      return address == null ? "" : HexFormat.of().withUpperCase().formatHex(address);
    } catch (SocketException unknown) {
      return "";
    }
  }

  @Override
  public void close() {
    connections.forEach(JmxProcess::close);
  }

  /** A server and its connection, if there is one. */
  private record Watched(
      Ignite ignite,
      ClusterNode node,
      Optional<JmxProcess> process,
      Optional<Long> processId,
      Optional<String> host)
      implements WatchedServer {

    private JmxProcess connection() {
      return process.orElseThrow(() -> new GridException("Its JMX port is not known."));
    }

    @Override
    public Answer.Used usage() {
      return connection().usage(node.metrics().getTotalCpus());
    }

    @Override
    public WatchedServers.Collections collections() {
      return connection().collections();
    }

    @Override
    public GridMetrics metrics() {
      return new ServerMetrics(ignite, node);
    }
  }
}
