package io.pyrometer.driver.ignite;

import io.pyrometer.chaos.ChaosGrid;
import io.pyrometer.chaos.ChaosSession;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.GridRoom;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.driver.WatchedServers;
import io.pyrometer.driver.ignite.data.CacheSampler;
import io.pyrometer.driver.ignite.data.ClusterDescription;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.doctor.Doctor;
import io.pyrometer.driver.ignite.doctor.StatisticsRecording;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.node.NodeMetrics;
import io.pyrometer.driver.ignite.node.ServerRoom;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.driver.ignite.path.CacheKind;
import io.pyrometer.driver.ignite.path.IgniteTrial;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.ScenarioGrid;
import io.pyrometer.scenario.ScenarioSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.NearCacheConfiguration;

/** A thick client of the grid; it touches no caches but those that it made. */
final class IgniteSession implements GridSession, ScenarioGrid, ChaosGrid {
  private final ClientNode client;
  private volatile List<String> relays = List.of();
  private volatile Optional<ServerWatch> watch = Optional.empty();
  private volatile Optional<StatisticsRecording> recording = Optional.empty();
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  private IgniteSession(ClientNode client) {
    this.client = client;
  }

  static IgniteSession open(Command.OpenSession spec) {
    return new IgniteSession(ClientNode.join(spec));
  }

  @Override
  public Map<String, String> configuration() {
    return GridConfiguration.ofNode(client.ignite());
  }

  @Override
  public OptionalInt servers() {
    try {
      return OptionalInt.of(client.ignite().cluster().forServers().nodes().size());
    } catch (IgniteException gone) {
      throw GridException.of("The grid does not answer: %s.", GridException.cause(gone), gone);
    }
  }

  @Override
  public HealthReport examine(Duration length) {
    return Doctor.examine(client, length);
  }

  @Override
  public HealthReport examineStatistics(Duration length, String folder) {
    StatisticsRecording begun = new StatisticsRecording(client);
    recording = Optional.of(begun);
    return begun.examine(length, Path.of(folder));
  }

  @Override
  public GridRoom room() {
    return ServerRoom.of(client.ignite());
  }

  @Override
  public WatchedServers watch() {
    if (client.serversKnowUs()) {
      return WatchedServers.NONE;
    }
    ServerWatch begun = client.watch();
    watch = Optional.of(begun);
    return begun.servers();
  }

  @Override
  public Optional<GridMetrics> metrics() {
    return Optional.of(new NodeMetrics(client.ignite(), !client.serversKnowUs()));
  }

  @Override
  public void useRelays(List<String> through) {
    relays = List.copyOf(through);
  }

  @Override
  public TrialSession open(TrialSpec trial, Records records, boolean creator) {
    if (GridSettings.DECLARED.path(trial.path()).onServers() && !client.serversKnowUs()) {
      throw GridException.of(
          "Path '%s' needs Pyrometer's classes on the servers: leave it out for a grid that is"
              + " attached to, or let Pyrometer start the nodes.",
          trial.path());
    }
    Settings settings = trial.settings();
    CacheKind kind = CacheKind.of(trial.path());
    boolean ours = kind != CacheKind.EXISTING;
    String cacheName =
        ours ? trial.cacheName() : existing(settings.get(CoreSettings.EXISTING_CACHE));
    TrialCache.create(
        cacheName,
        () -> {
          if (ours && creator) {
            create(cacheName, settings, records, kind);
          }
          TrialCache.await(client.ignite(), cacheName);
          if (kind == CacheKind.NEAR) {
            client.ignite().getOrCreateNearCache(cacheName, near(settings));
          }
        });
    ValuePool stock = new ValuePool(client.ignite().binary(), records);
    return new IgniteTrial(client, cacheName, stock, trial, relays, creator);
  }

  @Override
  public ScenarioSession openScenario(TrialSpec trial, boolean creator) {
    return IgniteScenarioTrial.open(client, trial, creator, made);
  }

  @Override
  public ChaosSession openChaos(TrialSpec trial) {
    return IgniteChaos.open(client, trial, made);
  }

  @Override
  public CacheSample sample(String cache, int records) {
    return CacheSampler.of(client.ignite(), existing(cache), records);
  }

  @Override
  public GridDescription describe(List<String> caches, List<String> paths) {
    if (client.ignite().cluster().state() == ClusterState.INACTIVE) {
      throw new GridException(
          "The cluster is inactive: activate it with 'control.sh --set-state ACTIVE'.");
    }
    if (paths.stream().anyMatch(path -> path.startsWith("thin-"))) {
      ClientNode.connect(client.thin().get().setAddresses(client.thinAddresses())).close();
    }
    return ClusterDescription.of(client, caches.stream().map(this::existing).toList());
  }

  private String existing(String name) {
    Set<String> there = new TreeSet<>(client.ignite().cacheNames());
    if (!there.contains(name)) {
      throw GridException.of(
          "The grid has no cache '%s'; it has %s.",
          name, there.isEmpty() ? "none" : String.join(", ", there));
    }
    return name;
  }

  private void create(String name, Settings settings, Records records, CacheKind wanted) {
    Ignite ignite = client.ignite();
    ignite.destroyCache(name);
    CacheConfiguration<Long, Object> configuration =
        TrialCache.configuration(name, settings, records.shape(), wanted);
    if (wanted == CacheKind.NEAR) {
      ignite.createCache(configuration, near(settings));
    } else {
      ignite.createCache(configuration);
    }
    made.add(name);
    if (wanted == CacheKind.TABLES) {
      ignite.destroyCache(Details.cacheOf(name));
      ignite.createCache(Details.configuration(configuration, settings));
      made.add(Details.cacheOf(name));
    }
  }

  private static <K, V> NearCacheConfiguration<K, V> near(Settings settings) {
    NearCacheConfiguration<K, V> all = new NearCacheConfiguration<>();
    int entries = settings.get(IgniteTrial.NEAR_ENTRIES);
    return entries == 0
        ? all
        : all.setNearEvictionPolicyFactory(new LruEvictionPolicyFactory<>(entries));
  }

  /** Servers that Pyrometer started end with their caches; others must be rid of them. */
  @Override
  public void close() {
    try {
      recording.ifPresent(StatisticsRecording::close);
    } finally {
      if (!client.serversKnowUs() && !made.isEmpty()) { // an inactive cluster names no caches
        made.retainAll(client.ignite().cacheNames());
        client.ignite().destroyCaches(made);
      }
      watch.ifPresent(ServerWatch::close);
      client.close();
    }
  }
}
