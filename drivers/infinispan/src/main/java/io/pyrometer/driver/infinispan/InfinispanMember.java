package io.pyrometer.driver.infinispan;

import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.JvmServer;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.infinispan.commons.util.Version;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/** Members of the cluster: servers, and members without data. */
final class InfinispanMember {
  private static final int JOIN_SECONDS = 60;

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
            bundler_type="%s" bundler.max_size="%d"/>
        <RED/>
        <TCPPING initial_hosts="%5$s" port_range="0"/>
        <MERGE3 min_interval="2000" max_interval="5000"/>
        <FD_ALL3 timeout="10000" interval="2000"/>
        <VERIFY_SUSPECT2 timeout="500"/>
        <pbcast.NAKACK2 use_mcast_xmit="false" xmit_interval="200"/>
        <UNICAST3 conn_close_timeout="5000"/>
        <pbcast.STABLE desired_avg_gossip="5000" max_bytes="1M"/>
        <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
        <UFC max_credits="%6$d" min_threshold="0.40"/>
        <MFC max_credits="%6$d" min_threshold="0.40"/>
        <FRAG4 frag_size="%7$d"/>
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
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global
        .transport()
        .clusterName("pyrometer")
        .nodeName(name)
        .addProperty(
            "configurationXml",
            STACK.formatted(
                Address.host(address),
                Address.port(address),
                settings.get(InfinispanSettings.BUNDLER),
                settings.get(InfinispanSettings.BUNDLE_SIZE),
                hosts,
                settings.get(InfinispanSettings.CREDITS),
                // Below the largest message, in the proportion of Infinispan's own stack.
                settings.get(InfinispanSettings.BUNDLE_SIZE) / 16 * 15))
        .initialClusterSize(servers)
        .initialClusterTimeout(JOIN_SECONDS, TimeUnit.SECONDS);
    global.zeroCapacityNode(!holdsData);
    if (holdsData) {
      InfinispanSettings.apply(settings, global);
    }
    global.jmx().disable();
    global.metrics().gauges(false).histograms(false);
    global.serialization().addContextInitializer(new HighestContext());
    global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
    try {
      return new DefaultCacheManager(global.build());
    } catch (RuntimeException failure) {
      throw GridException.of(
          "The Infinispan member at %s did not start: %s",
          address, GridException.cause(failure), failure);
    }
  }

  /** Starts a server with the Hot Rod endpoint for clients; others may still be joining. */
  static RunningServer serve(Command.StartServer spec) {
    String address = spec.peers().get(spec.index());
    int clientPort = spec.ports().get(1);
    String host = Address.host(address);
    Settings settings = new InfinispanDriver().describe().complete(spec.settings());
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
      InfinispanSettings.apply(settings, configuration);
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
        () -> configuration(manager, endpoint),
        () -> members(manager),
        servers -> members(manager) >= servers,
        () -> {
          endpoint.stop();
          manager.stop();
        });
  }

  private static Map<String, String> configuration(
      DefaultCacheManager manager, HotRodServer endpoint) {
    Map<String, String> facts = new TreeMap<>(InfinispanSettings.facts(manager, endpoint));
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
