package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.client.CachePort;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.client.ClientRetryReadPolicy;

/** What the access paths of a trial share in one agent: the grid, the cache, records, settings. */
public final class PathContext {
  /** Map type of a batch. */
  static final SettingKey<String> MAP =
      SettingKey.choice("map", Scope.LOAD, "hash", "sorted")
          .meaning("Map type of a batch; always sorted for a transactional cache.");

  private final ClientNode client;
  private final String cacheName;
  private final ValuePool stock;
  private final TrialSpec trial;
  private final ThinClients thin;
  private final CacheEvents events = new CacheEvents();
  private Optional<ExistingRecords> existing = Optional.empty();

  /**
   * @param trial with complete settings
   * @param relays of thin clients, one before each node; empty for none
   */
  public PathContext(
      ClientNode client, String cacheName, Records records, TrialSpec trial, List<String> relays) {
    this.client = client;
    this.cacheName = cacheName;
    this.stock = new ValuePool(client.ignite().binary(), records);
    this.trial = trial;
    this.thin = new ThinClients(client, trial, relays);
  }

  public ClientNode client() {
    return client;
  }

  public Ignite ignite() {
    return client.ignite();
  }

  public String cacheName() {
    return cacheName;
  }

  public TrialSpec trial() {
    return trial;
  }

  /** The connections that the thin clients opened so far should hold together. */
  public int thinConnections() {
    return thin.connections();
  }

  public ValuePool stock() {
    return stock;
  }

  public Records records() {
    return stock.records();
  }

  Settings settings() {
    return trial.settings();
  }

  /** The continuous queries that the load threads share. */
  CacheEvents events() {
    return events;
  }

  /** The records of a cache that is not Pyrometer's, found by one scan for all load threads. */
  synchronized ExistingRecords existing() {
    if (existing.isEmpty()) {
      existing =
          Optional.of(
              ExistingRecords.in(
                  ignite().cache(cacheName).withKeepBinary(),
                  ignite().affinity(cacheName).partitions(),
                  allRecords(),
                  trial.seed()));
    }
    return existing.get();
  }

  /** The cache as seen by code that takes and gives binary objects. */
  <V> IgniteCache<Long, V> binaryCache() {
    return ignite().<Long, V>cache(cacheName).withKeepBinary();
  }

  /** The cache through the agent's node. */
  <K> CachePort<K> thick(boolean binary) {
    return CachePort.thick(ignite(), cacheName, binary);
  }

  /** The cache through a thin client of its own. */
  <K> CachePort<K> thin(boolean binary) {
    return CachePort.thin(thin.next(), cacheName, binary);
  }

  /** The same by a client that never repeats a write by itself, as Pyrometer's writer demands. */
  <K> CachePort<K> thinWithoutRetries(boolean binary) {
    return CachePort.thin(
        thin.next().setRetryPolicy(new ClientRetryReadPolicy()), cacheName, binary);
  }

  /** The values to write, in the form that the settings ask for; one for each load thread. */
  RecordValues values() {
    return stock.in(settings().get(GridSettings.VALUE_FORM));
  }

  /** Whether records may be gone that were written, by expiry or eviction. */
  boolean mayDrop() {
    return GridSettings.mayDrop(settings());
  }

  boolean transactional() {
    return settings().get(GridSettings.ATOMICITY).equals("TRANSACTIONAL");
  }

  /**
   * Makes maps for batches. Those of a transactional cache are sorted: two unordered ones lock
   * their keys in opposite order and wait for each other for ever.
   */
  <V> IntFunction<Map<Long, V>> batches() {
    boolean sorted = transactional() || settings().get(MAP).equals("sorted");
    return size -> sorted ? new TreeMap<>() : new HashMap<>(size * 4 / 3 + 1);
  }

  /** Names of the fields to aggregate over. */
  String[] aggregated() {
    return Aggregation.fields(records().shape(), settings()).toArray(String[]::new);
  }

  int allRecords() {
    return settings().get(CoreSettings.RECORDS).intValue();
  }
}
