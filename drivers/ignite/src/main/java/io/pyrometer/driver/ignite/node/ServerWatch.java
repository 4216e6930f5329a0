package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.JmxAccess;
import io.pyrometer.driver.JmxProcess;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.protocol.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.IgniteNodeAttributes;
import org.apache.ignite.internal.util.typedef.internal.U;

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

  private final Map<String, Attempt> attempts;
  private final Map<ClusterNode, JmxProcess> ofNodes = new HashMap<>();
  private final WatchedServers watched;

  /** Begins to watch all servers that form the cluster. */
  public ServerWatch(Ignite ignite, List<String> addresses, JmxAccess access) {
    List<ClusterNode> nodes =
        ignite.cluster().forServers().nodes().stream()
            .sorted(Comparator.comparingLong(ClusterNode::order))
            .toList();
    attempts =
        nodes.stream()
            .flatMap(node -> addresses(node, addresses).stream())
            .distinct()
            .parallel()
            .collect(Collectors.toConcurrentMap(at -> at, at -> Attempt.at(at, access)));
    List<String> unknown = new ArrayList<>();
    List<WatchedServer> servers = new ArrayList<>();
    for (ClusterNode node : nodes) {
      List<String> own = addresses(node, addresses);
      List<Attempt> ofNode =
          own.stream().flatMap(at -> Stream.ofNullable(attempts.get(at))).toList();
      Optional<JmxProcess> told =
          ofNode.stream()
              .flatMap(attempt -> attempt.process.stream())
              .filter(process -> isOf(node, process))
              .findFirst();
      told.ifPresent(process -> ofNodes.put(node, process));
      Optional<Long> process =
          told.isEmpty() && addresses.isEmpty()
              ? processHere(node).map(ProcessHandle::pid)
              : Optional.empty();
      if (told.isEmpty() && process.isEmpty()) {
        unknown.add(whyNot(node, own, ofNode));
      }
      Optional<String> host = Optional.of(hardwareAddresses(node)).filter(at -> !isHere(node));
      servers.add(new Watched(ignite, node, told, process, host));
    }
    watched = new WatchedServers(servers, unknown.stream().findFirst());
  }

  /** A connection to an address, or the sentence that says why there is none. */
  private record Attempt(Optional<JmxProcess> process, String failure) {
    static Attempt at(String address, JmxAccess access) {
      try {
        return new Attempt(Optional.of(JmxProcess.connect(address, access)), "");
      } catch (GridException silent) {
        return new Attempt(Optional.empty(), String.valueOf(silent.getMessage()));
      }
    }
  }

  public WatchedServers servers() {
    return watched;
  }

  /** The JMX connection to a server's JVM, if there is one. */
  public Optional<JmxProcess> connection(ClusterNode node) {
    return Optional.ofNullable(ofNodes.get(node));
  }

  private static List<String> addresses(ClusterNode node, List<String> named) {
    if (!named.isEmpty()) {
      return named;
    }
    Object flags = node.attribute(IgniteNodeAttributes.ATTR_JVM_ARGS);
    Matcher port = PORT.matcher(String.valueOf(flags));
    return port.find()
        ? node.addresses().stream().map(host -> host(host) + ":" + port.group(1)).toList()
        : List.of();
  }

  private static String host(String address) {
    return address.contains(":") ? "[" + address.replaceFirst("%.*", "") + "]" : address;
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

  private static String whyNot(ClusterNode node, List<String> tried, List<Attempt> attempts) {
    String name = "server " + node.consistentId();
    if (tried.isEmpty()) {
      return "%s has no JMX port; start it with -Dcom.sun.management.jmxremote.port, or set 'jmx'."
          .formatted(name);
    }
    return attempts.stream()
        .filter(attempt -> attempt.process.isEmpty())
        .map(attempt -> "%s cannot be read; %s".formatted(name, attempt.failure))
        .findFirst()
        .orElse(
            "what answers at %s is not %s; correct 'jmx'."
                .formatted(String.join(", ", tried), name));
  }

  /** Returns whether a node is on this machine, by the addresses of its network devices. */
  public static boolean isHere(ClusterNode node) {
    String addresses = hardwareAddresses(node);
    return U.allLocalMACs().stream().anyMatch(addresses::contains);
  }

  /** Hardware addresses, which the nodes of one machine share. */
  public static String hardwareAddresses(ClusterNode node) {
    return String.valueOf(node.<Object>attribute(IgniteNodeAttributes.ATTR_MACS));
  }

  @Override
  public void close() {
    attempts.values().forEach(attempt -> attempt.process.ifPresent(JmxProcess::close));
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
