package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.BinaryFields;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.driver.ignite.data.KeyForm;
import io.pyrometer.driver.ignite.data.PrimaryEntries;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A trial on one cache: what its access paths share in one agent, the fill, and the contents read
 * back.
 */
public final class IgniteTrial extends MapTrial<Object, Object> {
  /** Map type of a batch. */
  static final SettingKey<String> MAP = GridSettings.DECLARED.text("map");

  /** Setting of paths through a near cache. */
  public static final SettingKey<Integer> NEAR_ENTRIES =
      GridSettings.DECLARED.integer("near-entries");

  private static final int MAX_PAGE_RECORDS = 4_096;

  /** To each server while records are filled in; together they are one page. */
  private static final int BUFFERS_IN_FLIGHT = 8;

  private final IgnitePath kind;
  final ClientNode client;
  final String cacheName;
  final ValuePool stock;
  final TrialSpec trial;
  private final ThinClients thin;
  private final boolean creator;
  private final BinaryFields aggregated;
  private final ContinuousQueryPath.CacheEvents events = new ContinuousQueryPath.CacheEvents();
  private Optional<ExistingRecords> existing = Optional.empty();
  private final KeyForm keyForm;
  private @Nullable CachePort<Object> reader;

  /**
   * Opens a trial on a cache that exists.
   *
   * @param trial with complete settings
   * @param relays of thin clients, one before each node; empty for none
   * @param creator whether this agent alone has begun with the trial so far
   */
  public IgniteTrial(
      IgnitePath kind,
      ClientNode client,
      String cacheName,
      ValuePool stock,
      TrialSpec trial,
      List<String> relays,
      boolean creator) {
    super(
        trial.path(),
        trial.settings(),
        stock.records(),
        MAX_PAGE_RECORDS,
        KeyForm.of(trial.settings())::key,
        stock);
    this.keyForm = KeyForm.of(trial.settings());
    this.kind = kind;
    this.client = client;
    this.cacheName = cacheName;
    this.stock = stock;
    this.trial = trial;
    this.thin = new ThinClients(client, trial, relays);
    this.creator = creator;
    this.aggregated =
        new BinaryFields(kind.description().job() == Job.AGGREGATE ? highest().names() : List.of());
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = GridConfiguration.of(client, ignite().cache(cacheName), settings);
    if (creator && client.serversKnowUs()) {
      thin.connections()
          .ifPresent(count -> facts.put("client.thin-connections", String.valueOf(count)));
    }
    GridConfiguration.requireAsAsked(settings, facts, client, kind.cache().isOurs());
    return facts;
  }

  @Override
  public void fill(long from, long to) {
    try (IgniteDataStreamer<Object, Object> streamer = ignite().dataStreamer(cacheName)) {
      streamer.keepBinary(true);
      int buffer =
          PageSize.of(
              BUFFERS_IN_FLIGHT * records.bytes(), IgniteDataStreamer.DFLT_PER_NODE_BUFFER_SIZE);
      streamer.perNodeBufferSize(buffer);
      streamer.perThreadBufferSize(buffer);
      streamer.perNodeParallelOperations(BUFFERS_IN_FLIGHT);
      for (long key = from; key < to; key++) {
        streamer.addData(keys.apply(key), stock.of((int) (key % records.size())));
      }
    }
    if (kind.cache() == IgnitePath.Cache.TABLES) {
      Details.fill(ignite(), cacheName, settings, from, to);
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    AccessPath opened = kind.opening().apply(this);
    if (kind.cache().isOurs() && mayDrop() && !opened.mayDrop()) {
      opened.close();
      throw GridException.of(
          "Path '%s' cannot be verified where records may be gone, as with 'ttl' or"
              + " 'page-eviction': take 'mixed', 'put' or another of cache.put and putAll.",
          path);
    }
    return opened;
  }

  Ignite ignite() {
    return client.ignite();
  }

  Records records() {
    return records;
  }

  Settings settings() {
    return settings;
  }

  /** The cache's key of a number. */
  Object key(long number) {
    return keys.apply(number);
  }

  int allRecords() {
    return settings.get(CoreSettings.RECORDS).intValue();
  }

  /** One, unless the path declares {@code batch}. */
  int recordsPerCall() {
    return kind.description().settings().stream()
            .map(SettingDescription::name)
            .anyMatch(PathSettings.BATCH.name()::equals)
        ? settings.get(PathSettings.BATCH)
        : 1;
  }

  /** The continuous queries that the load threads share. */
  ContinuousQueryPath.CacheEvents events() {
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

  /** Port of a client that never repeats a write by itself, as Pyrometer's writer demands. */
  <K> CachePort<K> thinWithoutRetries(boolean binary) {
    return CachePort.thin(
        thin.next().setRetryPolicy(new ClientRetryReadPolicy()), cacheName, binary);
  }

  /** Calls whose end the body reports, at most a window of them at once. */
  FunctionPath asynchronous(int window, int recordsPerCall, FunctionPath.Body body) {
    return FunctionPath.asynchronous(operation(), window, recordsPerCall, body).dropping(mayDrop());
  }

  @Override
  protected String operation() {
    return kind.description().operations().get(0);
  }

  /** In the form that the settings name; for one load thread. */
  @Override
  protected IntFunction<Object> values() {
    return stock.in(settings.get(GridSettings.VALUE_FORM));
  }

  /** Returns whether values are written as binary objects, to a cache that takes them so. */
  boolean writesBinary() {
    return ValuePool.isBinary(settings);
  }

  @Override
  protected boolean mayDrop() {
    return GridSettings.mayDrop(settings);
  }

  boolean transactional() {
    return settings.get(GridSettings.ATOMICITY).equals("TRANSACTIONAL");
  }

  /**
   * Map for a batch; for a transactional cache it is sorted, because two unordered ones lock their
   * keys in opposite order and wait for each other for ever.
   */
  @Override
  protected Map<Object, Object> newBatch(int size) {
    return this.<Object, Object>newMap(size);
  }

  <K, T> Map<K, T> newMap(int size) {
    return transactional() || settings.get(MAP).equals("sorted")
        ? new TreeMap<>()
        : new HashMap<>(size * 4 / 3 + 1);
  }

  @Override
  protected Set<Object> newKeys(int size) {
    return transactional() ? new TreeSet<>() : super.newKeys(size);
  }

  /** Reads the fields that are aggregated over, no others. */
  @Override
  protected void see(HighestFields highest, Object found) {
    aggregated.see(highest, (BinaryObject) found);
  }

  /** By the servers, where they have Pyrometer's classes. */
  @Override
  public ContentDigest digest() {
    return client.serversKnowUs()
        ? PrimaryEntries.digest(ignite(), cacheName, trial)
        : super.digest();
  }

  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    ScanQuery<Object, BinaryObject> query = new ScanQuery<>();
    query.setPageSize(page);
    try (QueryCursor<Cache.Entry<Object, BinaryObject>> cursor =
        ignite().<Object, BinaryObject>cache(cacheName).withKeepBinary().query(query)) {
      cursor.forEach(
          entry -> visitor.visit(keyForm.number(entry.getKey()), form.fields(entry.getValue())));
    }
  }

  /**
   * By a thin client that sends every request to one server, which then may answer from a backup
   * copy of its own. (A thick client on the servers' own machine always reads the primary copy.)
   */
  @Override
  protected @Nullable Object read(Object key) {
    return reader().get().apply(key);
  }

  private synchronized CachePort<Object> reader() {
    if (reader == null) {
      reader =
          CachePort.thin(
              client
                  .thinClient()
                  .setAddresses(client.thinAddresses())
                  .setPartitionAwarenessEnabled(false),
              cacheName,
              true);
    }
    return reader;
  }

  @Override
  protected void load(Map<Object, Object> batch) {
    ignite().<Object, Object>cache(cacheName).withKeepBinary().putAll(batch);
  }

  @Override
  public void destroy() {
    if (kind.cache() == IgnitePath.Cache.TABLES) {
      ignite().destroyCache(Details.cacheOf(cacheName));
    }
    if (kind.cache().isOurs()) {
      ignite().destroyCache(cacheName);
    }
  }

  @Override
  public synchronized void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
