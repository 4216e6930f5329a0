package io.pyrometer.driver.ignite.node;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.BeanProperty;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.Settings;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.cache.expiry.Duration;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.lang.IgniteCallable;

/** The effective configuration of cluster, nodes and cache, read from the running grid. */
public final class GridConfiguration {

  private static final Facts FACTS =
      Resource.read(GridConfiguration.class, "facts.json", new TypeReference<>() {});

  /**
   * The file {@code facts.json}: names of facts, and the bean properties that they are.
   *
   * @param withPersistence of a node whose default region is persistent
   * @param ofCache facts of a trial's own cache, and the settings that they are made by
   * @param ofServers those of servers that Pyrometer started
   * @param ofStorage those of servers without a configuration of the user's
   */
  private record Facts(
      Map<String, String> cache,
      Map<String, String> node,
      Map<String, String> withPersistence,
      Map<String, String> ofCache,
      Map<String, String> ofServers,
      Map<String, String> ofStorage) {}

  private GridConfiguration() {}

  /** Sets the properties of a cache that settings are. */
  public static void configure(CacheConfiguration<?, ?> cache, Settings asked) {
    configure(FACTS.ofCache, FACTS.cache, asked, cache);
    if (cache.getCacheMode() == CacheMode.REPLICATED) {
      cache.setBackups(CacheConfiguration.DFLT_BACKUPS);
    }
  }

  /** Sets the properties of a server's storage that settings are. */
  static void configure(IgniteConfiguration server, Settings asked) {
    Map<String, String> paths = new TreeMap<>(FACTS.node);
    paths.putAll(FACTS.withPersistence);
    configure(FACTS.ofStorage, paths, asked, server);
  }

  private static void configure(
      Map<String, String> settings, Map<String, String> paths, Settings asked, Object bean) {
    Map<String, String> properties = new TreeMap<>();
    settings.forEach(
        (fact, setting) ->
            properties.put(
                Objects.requireNonNull(paths.get(fact), fact),
                asked.get(GridSettings.DECLARED.text(setting))));
    BeanProperty.set(properties, bean);
  }

  private static void read(Map<String, String> paths, Object bean, Map<String, String> facts) {
    paths.forEach(
        (fact, path) -> BeanProperty.text(path, bean).ifPresent(text -> facts.put(fact, text)));
  }

  /**
   * Configuration of the cluster, from every server that has Pyrometer's classes, and of a cache.
   *
   * @param asked whose options of Ignite are read back
   */
  public static Map<String, String> of(ClientNode client, IgniteCache<?, ?> cache, Settings asked) {
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
      TreeMap<String, String> properties = new TreeMap<>(asked.properties());
      IgniteCallable<Map<String, String>> read = () -> ofThisServer(properties);
      ignite
          .compute(ignite.cluster().forServers())
          .broadcast(read)
          .forEach(
              own ->
                  own.forEach((name, value) -> facts.merge(name, value, GridConfiguration::both)));
    }
    facts.putAll(ofCache(cache));
    facts.putAll(properties(asked.cacheProperties(), SettingDescription.OF_CACHE, running(cache)));
    return facts;
  }

  /**
   * Compares what the running grid reports with what a trial asks for: a level that the grid does
   * not really have would put a treatment's figures under another's name.
   *
   * @param facts from {@link #of}
   * @param ownCache whether the cache was made as the settings say
   * @throws GridException with one sentence that names everything that differs
   */
  public static void requireAsAsked(
      Settings asked, Map<String, String> facts, ClientNode client, boolean ownCache) {
    Map<String, String> settings = new TreeMap<>();
    asked.values().keySet().stream()
        .filter(name -> name.startsWith(SettingDescription.PROPERTY))
        .forEach(property -> settings.put(property, property));
    if (ownCache) {
      settings.putAll(FACTS.ofCache);
    }
    if (client.serversKnowUs()) {
      settings.putAll(FACTS.ofServers);
      settings.putAll(client.spec().config().isPresent() ? Map.of() : FACTS.ofStorage);
    }
    List<String> differences = new ArrayList<>();
    settings.forEach(
        (fact, setting) -> {
          String wanted = String.valueOf(asked.values().get(setting));
          String found = facts.getOrDefault(fact, wanted);
          // Ignite's own text of a version goes on after the number: 2.17.0#20250209-sha1:…
          if (asked.has(setting) && !found.equals(wanted) && !found.startsWith(wanted + "#")) {
            differences.add("%s is %s, not %s".formatted(setting, found, wanted));
          }
        });
    if (!differences.isEmpty()) {
      throw GridException.of(
          "The grid's configuration differs from the trial's: %s.", String.join(", ", differences));
    }
  }

  private static Map<String, String> ofThisServer(Map<String, String> properties) {
    Ignite here = Ignition.localIgnite();
    Map<String, String> facts = ofNode(here);
    facts.putAll(properties(properties, "", here.configuration()));
    return facts;
  }

  /** The common value of all servers, or all values if they differ. */
  private static String both(String one, String other) {
    return List.of(one.split(" and ", -1)).contains(other) ? one : one + " and " + other;
  }

  private static Map<String, String> properties(
      Map<String, String> asked, String prefix, Object configuration) {
    Map<String, String> paths = new TreeMap<>();
    asked.keySet().forEach(path -> paths.put(SettingDescription.PROPERTY + prefix + path, path));
    Map<String, String> facts = new TreeMap<>();
    read(paths, configuration, facts);
    return facts;
  }

  /** The driver's settings that make a cache like a running one. */
  public static Map<String, String> settings(CacheConfiguration<?, ?> running) {
    Map<String, String> facts = ofCache(running);
    Map<String, String> settings = new TreeMap<>();
    FACTS.ofCache.forEach(
        (fact, setting) ->
            Optional.ofNullable(facts.get(fact)).ifPresent(is -> settings.put(setting, is)));
    long ttl = ttlMillis(running);
    if (ttl > 0) {
      settings.put(GridSettings.TTL.name(), ttl / 1e3 + "s");
    }
    return settings;
  }

  /** Configuration of a running cache. */
  public static Map<String, String> ofCache(IgniteCache<?, ?> cache) {
    return ofCache(running(cache));
  }

  private static Map<String, String> ofCache(CacheConfiguration<?, ?> running) {
    Map<String, String> facts = new TreeMap<>();
    read(FACTS.cache, running, facts);
    if (running.getCacheMode() == CacheMode.REPLICATED) {
      facts.remove("cache.backups");
    }
    facts.put("cache.sql", String.valueOf(!running.getQueryEntities().isEmpty()));
    facts.put("cache.ttl-millis", String.valueOf(ttlMillis(running)));
    return facts;
  }

  /** Time to live of a record that is written; 0 for ever. */
  private static long ttlMillis(CacheConfiguration<?, ?> running) {
    Duration ttl = running.getExpiryPolicyFactory().create().getExpiryForCreation();
    return ttl == null || ttl.isEternal() ? 0 : ttl.getTimeUnit().toMillis(ttl.getDurationAmount());
  }

  @SuppressWarnings("unchecked")
  public static <K, V> CacheConfiguration<K, V> running(IgniteCache<K, V> cache) {
    return cache.getConfiguration(CacheConfiguration.class);
  }

  /** Configuration of a node, as it reports it itself. */
  public static Map<String, String> ofNode(Ignite ignite) {
    IgniteConfiguration configuration = ignite.configuration();
    Map<String, String> facts = new TreeMap<>();
    facts.put("node.version", ignite.version().toString());
    facts.put("node.jvm", System.getProperty("java.vm.version", "unknown"));
    facts.put("node.processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("node.collectors", collectors());
    facts.put("node.heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    read(FACTS.node, configuration, facts);
    if (Boolean.parseBoolean(facts.get("region.persistence"))) {
      read(FACTS.withPersistence, configuration, facts);
    }
    return facts;
  }

  /** A JVM that counts fewer than two processors takes the serial collector. */
  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(MemoryManagerMXBean::getName)
        .collect(Collectors.joining(", "));
  }
}
