package io.pyrometer.driver.ignite;

import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.NodeConfiguration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.cache.expiry.Duration;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.affinity.AffinityFunction;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/** The effective configuration of cluster and cache, read from the running grid. */
final class ClusterConfiguration {

  private ClusterConfiguration() {}

  /** Reads the cluster's configuration, from every server that has Pyrometer's classes. */
  static Map<String, String> of(ClientNode client) {
    Ignite ignite = client.ignite();
    Collection<ClusterNode> servers = ignite.cluster().forServers().nodes();
    TreeSet<String> versions = new TreeSet<>();
    servers.forEach(server -> versions.add(server.version().toString()));
    Map<String, String> facts = new TreeMap<>();
    facts.put("cluster.servers", String.valueOf(servers.size()));
    facts.put("cluster.server-version", String.join(", ", versions));
    facts.put("cluster.state", ignite.cluster().state().toString());
    facts.put("client.version", ignite.version().toString());
    if (client.serversKnowUs()) {
      ignite
          .compute(ignite.cluster().forServers())
          .broadcast(new Ask())
          .forEach(
              own ->
                  own.forEach(
                      (name, value) -> facts.merge(name, value, ClusterConfiguration::both)));
    }
    return facts;
  }

  /** The common value of all servers, or all values if they differ. */
  private static String both(String one, String other) {
    return List.of(one.split(" and ", -1)).contains(other) ? one : one + " and " + other;
  }

  static Map<String, String> of(IgniteCache<?, ?> cache) {
    CacheConfiguration<?, ?> running = running(cache);
    Map<String, String> facts = new TreeMap<>();
    facts.put("cache.name", running.getName());
    facts.put("cache.mode", running.getCacheMode().toString());
    facts.put("cache.atomicity", running.getAtomicityMode().toString());
    facts.put("cache.backups", String.valueOf(running.getBackups()));
    facts.put("cache.synchronisation", running.getWriteSynchronizationMode().toString());
    facts.put("cache.read-from-backup", String.valueOf(running.isReadFromBackup()));
    facts.put("cache.partitions", partitions(running.getAffinity()));
    facts.put("cache.sql", String.valueOf(!running.getQueryEntities().isEmpty()));
    facts.put("cache.rebalance", running.getRebalanceMode().toString());
    facts.put("cache.on-heap", String.valueOf(running.isOnheapCacheEnabled()));
    facts.put("cache.ttl-millis", String.valueOf(ttlMillis(running)));
    return facts;
  }

  /** Of a record that is written; 0 for ever. */
  private static long ttlMillis(CacheConfiguration<?, ?> running) {
    Duration ttl = running.getExpiryPolicyFactory().create().getExpiryForCreation();
    return ttl == null || ttl.isEternal() ? 0 : ttl.getTimeUnit().toMillis(ttl.getDurationAmount());
  }

  @SuppressWarnings("unchecked")
  private static <K, V> CacheConfiguration<K, V> running(IgniteCache<K, V> cache) {
    return cache.getConfiguration(CacheConfiguration.class);
  }

  private static String partitions(@Nullable AffinityFunction affinity) {
    return affinity instanceof RendezvousAffinityFunction rendezvous
        ? String.valueOf(rendezvous.partitions())
        : "unknown";
  }

  /** Sent to a server node: what it says of itself. */
  static final class Ask implements IgniteCallable<Map<String, String>> {
    private static final long serialVersionUID = 1L;

    @IgniteInstanceResource private transient @Nullable Ignite ignite;

    @Override
    public Map<String, String> call() {
      return NodeConfiguration.of(Objects.requireNonNull(ignite));
    }
  }
}
