package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.Mix;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.BinaryFields;
import io.pyrometer.driver.ignite.data.ExistingRecords;
import io.pyrometer.driver.ignite.data.KeyForm;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.node.ClientNode;
import io.pyrometer.driver.ignite.node.GridConfiguration;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.driver.ignite.sql.Details;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import javax.cache.Cache;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.client.ClientRetryReadPolicy;
import org.apache.ignite.configuration.ClientConfiguration;
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

  /** Pyrometer's writer demands a client that never repeats a write by itself. */
  private static final String WITHOUT_RETRIES = "thin-ignite-writer";

  private static final int MAX_PAGE_RECORDS = 4_096;
  private static final int SCAN_PAGE = 1_024;

  /** To each server while records are filled in; together they are one page. */
  private static final int BUFFERS_IN_FLIGHT = 8;

  private final PathDescription description;
  private final CacheKind kind;
  final ClientNode client;
  final String cacheName;
  final ValuePool stock;
  final TrialSpec trial;
  private final ThinClients thin;
  private final boolean creator;
  private final BinaryFields aggregated;
  private final int scanPage;

  /** The continuous queries that the load threads share. */
  final ContinuousQueryPath.CacheEvents events = new ContinuousQueryPath.CacheEvents();

  private Optional<ExistingRecords> existing = Optional.empty();
  private final KeyForm keyForm;
  private @Nullable CachePort reader;

  /**
   * Opens a trial on a cache that exists.
   *
   * @param trial with complete settings
   * @param relays of thin clients, one before each node; empty for none
   * @param creator whether this agent alone has begun with the trial so far
   */
  public IgniteTrial(
      ClientNode client,
      String cacheName,
      ValuePool stock,
      TrialSpec trial,
      List<String> relays,
      boolean creator) {
    super(trial, stock.records(), MAX_PAGE_RECORDS, KeyForm.of(trial.settings())::key, stock);
    this.keyForm = KeyForm.of(trial.settings());
    this.description = GridSettings.DECLARED.path(path);
    this.kind = CacheKind.of(path);
    this.client = client;
    this.cacheName = cacheName;
    this.stock = stock;
    this.trial = trial;
    this.thin = new ThinClients(client, trial, relays);
    this.creator = creator;
    this.aggregated =
        new BinaryFields(description.job() == Job.AGGREGATE ? highest().names() : List.of());
    this.scanPage = PageSize.of(records, SCAN_PAGE);
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = GridConfiguration.of(client, ignite().cache(cacheName), settings);
    if (creator && client.serversKnowUs()) {
      thin.connections()
          .ifPresent(count -> facts.put("client.thin-connections", String.valueOf(count)));
    }
    GridConfiguration.requireAsAsked(settings, facts, client, kind != CacheKind.EXISTING);
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
    if (kind == CacheKind.TABLES) {
      Details.fill(ignite(), cacheName, settings, from, to);
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    AccessPath opened = open();
    if (kind != CacheKind.EXISTING && mayDrop() && !opened.mayDrop()) {
      opened.close();
      throw GridException.of(
          "Path '%s' cannot be verified where records may be gone, as with 'ttl' or"
              + " 'page-eviction': take 'mixed', 'put' or another of cache.put and putAll.",
          path);
    }
    return opened;
  }

  private FunctionPath open() {
    return switch (path) {
      case "put", "thin-put" -> on(cache -> put(cache.put()));
      case "put-async", "thin-put-async" -> on(cache -> putAsync(cache.putAsync()));
      case "put-all", "thin-put-all" -> on(cache -> putAll(cache.putAll()));
      case "put-all-double-buffer", "thin-put-all-double-buffer" -> on(this::putAllDoubleBuffer);
      case "put-all-async", "thin-put-all-async" ->
          on(cache -> batches(settings.get(PathSettings.IN_FLIGHT), cache.putAllAsync()));
      case "streamer",
          "streamer-overwrite",
          "streamer-batched",
          "streamer-sorted",
          Streamers.WITH_RECEIVER ->
          Streamers.open(this);
      case "ignite-writer", WITHOUT_RETRIES -> on(cache -> WriterPaths.open(this, cache));
      case "service-ignite-writer" -> WriterPaths.onServer(this);
      case "put-continuous-query" -> ContinuousQueryPath.open(this);
      case "server-put-all" -> ServerJobs.putAll(this, 1);
      case "servers-put-all" -> ServerJobs.putAll(this, Integer.MAX_VALUE);
      case "sql-merge", "sql-merge-batch" -> SqlPaths.merge(this);
      case "sql-aggregate" -> SqlPaths.aggregate(this);
      case "sql-select" -> SqlPaths.select(this);
      case "get", "thin-get" -> on(cache -> get(cache.get()));
      case "get-all", "thin-get-all" -> on(cache -> getAll(cache.getAll()));
      case "scan" -> on(this::scanAll);
      case "compute" -> ServerJobs.highest(this);
      case "existing-get", "thin-existing-get", "existing-get-all", "thin-existing-get-all" ->
          on(cache -> ReadExisting.open(this, cache));
      case "mixed" -> on(cache -> thickMix(cache).open());
      case "thin-mixed", "near-mixed" -> on(cache -> mix(cache).open());
      case "transfer" -> ChangePaths.inTransaction(this);
      case "transfer-invoke" -> ChangePaths.byInvoke(this);
      case "update-put" -> ChangePaths.single(this, ChangePaths::put);
      case "update-invoke" -> ChangePaths.single(this, IgniteCache::invoke);
      case "update-invoke-all" -> ChangePaths.invokeAll(this);
      default -> throw unknownPath();
    };
  }

  /** A path on the cache through a client of its kind, which is closed with it. */
  private FunctionPath on(Function<CachePort, FunctionPath> opening) {
    boolean binary =
        description.job() == Job.AGGREGATE || description.job() == Job.READ || writesBinary();
    CachePort cache =
        path.startsWith("thin-")
            ? CachePort.thin(nextThinClient(), cacheName, binary)
            : CachePort.thick(ignite(), cacheName, binary);
    return opening.apply(cache).closing(cache);
  }

  private ClientConfiguration nextThinClient() {
    ClientConfiguration next = thin.next();
    return path.equals(WITHOUT_RETRIES) ? next.setRetryPolicy(new ClientRetryReadPolicy()) : next;
  }

  private FunctionPath scanAll(CachePort cache) {
    return wholeSet(
        highest -> {
          try (QueryCursor<Cache.Entry<Object, Object>> all = cache.scan().apply(pages(null))) {
            all.forEach(entry -> see(highest, entry.getValue()));
          }
        });
  }

  private ScanQuery<Object, Object> pages(@Nullable Integer partition) {
    ScanQuery<Object, Object> query = new ScanQuery<>();
    query.setPartition(partition).setPageSize(scanPage);
    return query;
  }

  private Mix<Object, Object> mix(CachePort cache) {
    Mix<Object, Object> mix =
        mixed("put", cache.get(), cache.put())
            .getAll(cache.getAll())
            .putAll(cache.putAll())
            .remove(cache.remove());
    Affinity<Object> affinity = ignite().affinity(cacheName);
    return mix.with(
        "scan",
        Effect.READ,
        (call, i, key) ->
            mix.found(
                call, i, scan(cache.scan().apply(pages(affinity.partition(key))), call, key)));
  }

  /** Reads a partition, and returns whether it holds the key. */
  private static boolean scan(
      QueryCursor<Cache.Entry<Object, Object>> partition, Call call, Object key) {
    int records = 0;
    boolean found = false;
    try (partition) {
      for (Cache.Entry<Object, Object> entry : partition) {
        records++;
        found |= entry.getKey().equals(key);
      }
    }
    call.carried(records);
    return found;
  }

  /** An entry processor, which servers must have. */
  private Mix<Object, Object> thickMix(CachePort cache) {
    if (!client.serversKnowUs()
        && settings.find(PathSettings.MIX).stream()
            .anyMatch(m -> m.byName().containsKey("invoke"))) {
      throw new GridException(
          "The operation 'invoke' of a mix needs Pyrometer's classes on the servers: take it out of"
              + " 'mix' for a grid that is attached to.");
    }
    IgniteCache<Object, Object> any = ignite().cache(cacheName);
    IgniteCache<Object, Object> invoked = writesBinary() ? any.withKeepBinary() : any;
    IntFunction<Object> values = values();
    Replacement replacement = new Replacement();
    Mix<Object, Object> mix = mix(cache);
    return mix.with(
        "invoke",
        Effect.WRITE,
        (call, i, key) ->
            mix.found(call, i, invoked.invoke(key, replacement, values.apply(call.record(i)))));
  }

  /** Replaces a record where the entry lies by the one that it is called with. */
  private static final class Replacement implements CacheEntryProcessor<Object, Object, Boolean> {
    private static final long serialVersionUID = 1L;

    /** Returns whether there was an entry to replace. */
    @Override
    public Boolean process(MutableEntry<Object, Object> entry, Object... record) {
      boolean existed = entry.exists();
      entry.setValue(record[0]);
      return existed;
    }
  }

  /** One batch waits while the one before is sent, so that the order of writes is kept. */
  private FunctionPath putAllDoubleBuffer(CachePort cache) {
    ExecutorService sender = Executors.newSingleThreadExecutor();
    return batches(
            2, batch -> CompletableFuture.runAsync(() -> cache.putAll().accept(batch), sender))
        .closing(sender::shutdown);
  }

  private FunctionPath batches(int window, Function<Map<Object, Object>, CompletionStage<?>> send) {
    IntFunction<Object> values = values();
    AtomicLong merged = new AtomicLong();
    return asynchronous(
            window,
            settings.get(PathSettings.BATCH),
            call -> {
              Map<Object, Object> batch = batch(call, values);
              merged.addAndGet(call.size() - batch.size());
              var unused =
                  send.apply(batch)
                      .whenComplete((none, failure) -> FunctionPath.end(call, failure));
            })
        .merging(merged::get);
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
    return description.settings().stream()
            .map(SettingDescription::name)
            .anyMatch(PathSettings.BATCH.name()::equals)
        ? settings.get(PathSettings.BATCH)
        : 1;
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

  /** Calls whose end the body reports, at most a window of them at once. */
  FunctionPath asynchronous(int window, int recordsPerCall, FunctionPath.Body body) {
    return FunctionPath.asynchronous(operation(), window, recordsPerCall, body).dropping(mayDrop());
  }

  @Override
  protected String operation() {
    return description.operations().get(0);
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

  /** Returns whether nodes drop records by themselves, so that an absent one is not lost. */
  @Override
  protected boolean mayDrop() {
    return settings.get(GridSettings.TTL) > 0
        || !settings.get(GridSettings.PAGE_EVICTION).equals("DISABLED");
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
    return client.serversKnowUs() ? ServerJobs.digest(ignite(), cacheName, trial) : super.digest();
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

  private synchronized CachePort reader() {
    if (reader == null) {
      reader =
          CachePort.thin(
              client
                  .thin()
                  .get()
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
    if (kind == CacheKind.TABLES) {
      ignite().destroyCache(Details.cacheOf(cacheName));
    }
    if (kind != CacheKind.EXISTING) {
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
