package io.pyrometer.driver.infinispan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JvmServer;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.PropertyTree;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/** Members of the cluster: servers, and members without data. */
final class InfinispanMember {
  private static final int JOIN_SECONDS = 60;
  private static final String JGROUPS = "jgroups.";
  private static final String ENDPOINT = "hotrod-connector.";

  /**
   * JGroups over TCP among known members. Without {@code tcp_nodelay} single writes take 15 ms.
   * FD_SOCK2 is left out, because it listens on a port that nobody reserved; the end of a process
   * is noticed by its closed connections.
   */
  private static final String STACK =
      """
      <config xmlns="urn:org:jgroups">
        <TCP bind_addr="%s" bind_port="%d" port_range="0" diag.enabled="false"
            sock_conn_timeout="300ms" linger="-1" tcp_nodelay="true" enable_suspect_events="true"
            thread_pool.min_threads="0" thread_pool.max_threads="200"
            bundler_type="transfer-queue" bundler.max_size="64000"/>
        <RED/>
        <TCPPING initial_hosts="%s" port_range="0"/>
        <MERGE3 min_interval="2000" max_interval="5000"/>
        <FD_ALL3 timeout="10000" interval="2000"/>
        <VERIFY_SUSPECT2 timeout="500"/>
        <pbcast.NAKACK2 use_mcast_xmit="false" xmit_interval="200"/>
        <UNICAST3 conn_close_timeout="5000"/>
        <pbcast.STABLE desired_avg_gossip="5000" max_bytes="1M"/>
        <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
        <UFC max_credits="4000000" min_threshold="0.40"/>
        <MFC max_credits="4000000" min_threshold="0.40"/>
        <FRAG4 frag_size="60000"/>
      </config>
      """;

  private InfinispanMember() {}

  /**
   * Starts a member and returns when it has found {@code servers} others or is one of them.
   *
   * @param peers host:port of the servers
   * @param address host:port of this member
   * @param holdsData whether it is a server
   * @param settings of the driver, complete
   */
  static DefaultCacheManager start(
      String name,
      List<String> peers,
      String address,
      boolean holdsData,
      int servers,
      Settings settings) {
    String hosts =
        peers.stream()
            .map(peer -> "%s[%s]".formatted(Address.host(peer), Address.port(peer)))
            .collect(Collectors.joining(","));
    GlobalConfigurationBuilder global = global(holdsData ? settings : Settings.NONE);
    global
        .transport()
        .clusterName("pyrometer")
        .nodeName(name)
        .addProperty(
            "configurationXml",
            stack(
                STACK.formatted(Address.host(address), Address.port(address), hosts),
                settings.properties()))
        .initialClusterSize(servers)
        .initialClusterTimeout(JOIN_SECONDS, TimeUnit.SECONDS);
    global.zeroCapacityNode(!holdsData);
    global.jmx().disable();
    global.metrics().gauges(false).histograms(false);
    // Members send an aggregation over a stream to one another in its Java form.
    global
        .serialization()
        .marshaller(new JavaSerializationMarshaller())
        .allowList()
        .addRegexps("io\\.pyrometer\\..*", "java\\..*");
    global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
    try {
      return new DefaultCacheManager(global.build());
    } catch (RuntimeException failure) {
      throw GridException.of(
          "The Infinispan member at %s did not start: %s",
          address, GridException.withProperties(GridException.cause(failure), settings), failure);
    }
  }

  /**
   * The configuration of a cache manager with the options that are neither of JGroups nor of the
   * endpoint: names of Infinispan's JSON below {@code infinispan}.
   */
  static GlobalConfigurationBuilder global(Settings settings) {
    Map<String, String> own = new TreeMap<>(settings.properties());
    own.keySet().removeIf(name -> name.startsWith(JGROUPS) || name.startsWith(ENDPOINT));
    if (own.isEmpty()) {
      return GlobalConfigurationBuilder.defaultClusteredBuilder();
    }
    ObjectNode tree = PropertyTree.of(own);
    ObjectNode infinispan = Json.LINES.createObjectNode();
    // Infinispan reads a cache container after the thread pools that it names.
    Optional.ofNullable(tree.remove("threads"))
        .ifPresent(threads -> infinispan.set("threads", threads));
    infinispan.setAll(tree);
    try {
      GlobalConfigurationBuilder global =
          new ParserRegistry()
              .parse(
                  Json.LINES.createObjectNode().set("infinispan", infinispan).toString(),
                  MediaType.APPLICATION_JSON)
              .getGlobalConfigurationBuilder();
      global.transport().defaultTransport();
      return global;
    } catch (RuntimeException refused) {
      throw refused(refused, settings);
    }
  }

  private static GridException refused(RuntimeException failure, Settings settings) {
    return new GridException(
        "Infinispan refused its configuration: "
            + GridException.withProperties(GridException.cause(failure), settings),
        failure);
  }

  /** The stack with attributes of protocols as given by {@code jgroups.PROTOCOL.attribute}. */
  static String stack(String stack, Map<String, String> properties) {
    String changed = stack;
    for (Map.Entry<String, String> each : properties.entrySet()) {
      if (each.getKey().startsWith(JGROUPS)) {
        String[] names = each.getKey().substring(JGROUPS.length()).split("\\.", 2);
        Matcher protocol =
            Pattern.compile(
                    "<((pbcast\\.)?%s)(?=[ /])([^>]*?)/>".formatted(Pattern.quote(names[0])))
                .matcher(changed);
        if (names.length < 2 || !protocol.find()) {
          throw GridException.of(
              "'%s' is no attribute of a protocol in the stack; write jgroups.PROTOCOL.attribute.",
              each.getKey());
        }
        String others =
            protocol.group(3).replaceAll("\\s" + Pattern.quote(names[1]) + "=\"[^\"]*\"", "");
        String element =
            "<%s%s %s=\"%s\"/>"
                .formatted(
                    protocol.group(1), others, names[1], each.getValue().replace("\"", "&quot;"));
        changed = protocol.replaceFirst(Matcher.quoteReplacement(element));
      }
    }
    return changed;
  }

  /** Sets attributes of the endpoint as given by {@code hotrod-connector.attribute}. */
  static void apply(Settings settings, HotRodServerConfigurationBuilder endpoint) {
    settings
        .properties()
        .forEach(
            (name, value) -> {
              if (name.startsWith(ENDPOINT)) {
                try {
                  endpoint
                      .attributes()
                      .attribute(name.substring(ENDPOINT.length()))
                      .fromString(value);
                } catch (RuntimeException unknown) {
                  throw refused(unknown, settings);
                }
              }
            });
  }

  /** Starts a server with the Hot Rod endpoint for clients; others may still be joining. */
  static RunningServer serve(Command.StartServer spec) {
    String address = spec.peers().get(spec.index());
    int clientPort = spec.ports().get(1);
    String host = Address.host(address);
    Settings settings = spec.settings();
    DefaultCacheManager manager;
    try {
      manager = start("server-" + spec.index(), spec.peers(), address, true, 1, settings);
    } catch (GridException failure) {
      throw portTaken(failure);
    }
    HotRodServer endpoint = new HotRodServer();
    try {
      HotRodServerConfigurationBuilder configuration =
          new HotRodServerConfigurationBuilder()
              .host(host)
              .port(clientPort)
              .proxyHost(host)
              .proxyPort(clientPort)
              .adminOperationsHandler(new Administration());
      apply(settings, configuration);
      endpoint.start(configuration.build(), manager);
      endpoint.postStart();
    } catch (RuntimeException failure) {
      manager.stop();
      throw portTaken(
          GridException.of(
              "The Hot Rod endpoint at %s:%d did not start: %s",
              host, clientPort, GridException.cause(failure), failure));
    }
    return new JvmServer(
        Optional.of(host + ":" + clientPort),
        () -> configuration(manager),
        () -> members(manager),
        servers -> members(manager) >= servers,
        () -> {
          endpoint.stop();
          manager.stop();
        });
  }

  private static Map<String, String> configuration(DefaultCacheManager manager) {
    Map<String, String> facts = new TreeMap<>();
    facts.put("server.version", Version.getVersion());
    facts.put(
        "server.zero-capacity",
        String.valueOf(manager.getCacheManagerConfiguration().isZeroCapacityNode()));
    return facts;
  }

  private static RuntimeException portTaken(GridException failure) {
    String why = String.valueOf(failure.getMessage());
    return why.contains("in use") || why.contains("No available port")
        ? new PortTakenException(why, failure)
        : failure;
  }

  private static int members(DefaultCacheManager manager) {
    return Optional.<List<?>>ofNullable(manager.getMembers()).map(List::size).orElse(0);
  }
}
