package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.node.ServerRoom;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.GridDescription.CacheDescription;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.cache.CacheException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.cache.DynamicCacheDescriptor;

/** Description of a cluster and its caches as a client sees them. It changes nothing. */
public final class ClusterDescription {
  private static final int MAX_OTHERS = 8;
  private static final int LOOK_AT = 100;

  private ClusterDescription() {}

  /**
   * @param named caches that are there, to describe first and with the size of their records
   */
  public static GridDescription of(ClientNode client, List<String> named) {
    Ignite ignite = client.ignite();
    List<CacheDescription> caches = new ArrayList<>();
    List<CacheConfiguration<?, ?>> all = caches(ignite);
    all.stream()
        .filter(each -> named.contains(each.getName()))
        .forEach(each -> caches.add(describe(ignite, each, true)));
    List<CacheConfiguration<?, ?>> others =
        all.stream()
            .filter(each -> !named.contains(each.getName()))
            .filter(each -> !each.getName().startsWith(TrialSpec.CACHE_PREFIX))
            .toList();
    others.stream().limit(MAX_OTHERS).forEach(each -> caches.add(describe(ignite, each, false)));
    return new GridDescription(
        Optional.of(ignite.cluster().forServers().nodes().size()),
        facts(client),
        caches,
        Math.max(0, others.size() - MAX_OTHERS));
  }

  /** Caches of users, by name. */
  private static List<CacheConfiguration<?, ?>> caches(Ignite ignite) {
    return ((IgniteEx) ignite)
        .context().cache().cacheDescriptors().values().stream()
            .filter(cache -> cache.cacheType().userCache())
            .<CacheConfiguration<?, ?>>map(DynamicCacheDescriptor::cacheConfiguration)
            .sorted(Comparator.comparing(CacheConfiguration::getName))
            .toList();
  }

  private static CacheDescription describe(
      Ignite ignite, CacheConfiguration<?, ?> configuration, boolean look) {
    String name = configuration.getName();
    Map<String, String> settings = GridConfiguration.settings(configuration);
    AffinityFunction affinity = configuration.getAffinity();
    if (affinity.getClass() != RendezvousAffinityFunction.class) {
      settings.put(GridSettings.PARTITIONS.name(), String.valueOf(affinity.partitions()));
      settings.put("affinity", affinity.getClass().getName());
    }
    try {
      IgniteCache<Object, Object> cache = ignite.cache(name).withKeepBinary();
      long records = cache.sizeLong(CachePeekMode.PRIMARY);
      return new CacheDescription(
          name,
          settings,
          Optional.of(records),
          look && records > 0
              ? Optional.of(CacheSampler.of(ignite, name, LOOK_AT).bytes())
              : Optional.empty());
    } catch (IgniteException | CacheException partitionsAreLost) {
      return new CacheDescription(name, settings, Optional.empty(), Optional.empty());
    }
  }

  private static Map<String, String> facts(ClientNode client) {
    Ignite ignite = client.ignite();
    List<ClusterNode> servers = List.copyOf(ignite.cluster().forServers().nodes());
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "version",
        servers.stream()
            .map(server -> server.version().toString().replaceFirst("#.*", ""))
            .distinct()
            .sorted()
            .collect(Collectors.joining(" and ")));
    facts.put("state", ignite.cluster().state().toString());
    ServerRoom.of(ignite)
        .freeBytes()
        .ifPresent(free -> facts.put("free for data", "%,d MB".formatted(free >> 20)));
    try (ServerWatch watch = client.watch()) {
      WatchedServers watched = watch.servers();
      boolean processes = watched.servers().stream().anyMatch(s -> s.processId().isPresent());
      facts.put(
          "CPU time of servers",
          watched
              .unknownUsage()
              .map(why -> "not known: " + why.replaceFirst("\\.$", ""))
              .orElse(processes ? "known by their processes on this machine" : "known by JMX"));
    }
    return facts;
  }
}
