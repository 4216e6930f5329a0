package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Mix;
import io.pyrometer.driver.PageSize;
import io.pyrometer.driver.ignite.data.KeyForm;
import io.pyrometer.driver.ignite.data.Replacement;
import io.pyrometer.load.Call;
import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import javax.cache.Cache;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/**
 * Single records and batches by the calls of a cache, each through a thick client and through a
 * thin one.
 */
final class CachePaths {
  /** Either of two writes to a key may remain. */
  static final Guarantee UNORDERED = new Guarantee(true, false, true, false);

  private static final SettingKey<Integer> BATCH = PathSettings.batch(10_000);
  private static final SettingKey<Integer> READ_BATCH = PathSettings.batch(1_000);
  private static final SettingKey<String> MAP = IgniteTrial.MAP;
  private static final SettingKey<Integer> NEAR_ENTRIES = IgniteTrial.NEAR_ENTRIES;
  private static final SettingKey<Integer> MIX_BATCH = PathSettings.batch(100);
  private static final String MIXED =
      "cache.get and put, one record after the other, or the operations of 'mix'.";
  private static final int SCAN_PAGE = 1_024;
  private static final SettingKey<Integer> SINGLES = PathSettings.inFlight(400);
  private static final SettingKey<Integer> BATCHES = PathSettings.inFlight(4);

  static final List<IgnitePath> WRITES =
      both(
          new Kind(
              write("put", Guarantee.OF_ONE, "cache.put, one record after the other.").asPlainest(),
              (trial, cache) -> trial.put(cache.put())),
          // A server's threads may execute the calls of a thin client in another order.
          new Kind(
              write(
                  "put-async",
                  Guarantee.OF_ONE,
                  "cache.putAsync, a window of single records in flight.",
                  SINGLES),
              UNORDERED,
              CachePaths::putAsync),
          new Kind(
              write(
                  "put-all",
                  Guarantee.OF_MANY,
                  "cache.putAll, one batch after the other.",
                  BATCH,
                  MAP),
              (trial, cache) -> trial.putAll(cache.putAll())),
          new Kind(
              write(
                  "put-all-double-buffer",
                  Guarantee.OF_MANY,
                  "cache.putAll of one batch while the next one is prepared.",
                  BATCH,
                  MAP),
              CachePaths::putAllDoubleBuffer),
          new Kind(
              write(
                  "put-all-async",
                  UNORDERED,
                  "cache.putAllAsync, several batches in flight.",
                  BATCH,
                  BATCHES,
                  MAP),
              CachePaths::putAllAsync));

  static final List<IgnitePath> READS =
      Stream.of(
              both(
                  new Kind(
                      read("get", "cache.get of every key, one after the other.").asPlainest(),
                      (trial, cache) -> trial.get(cache.get()))),
              List.of(
                  path(
                      read(
                          "near-get",
                          "cache.get of every key through a near cache in the client.",
                          NEAR_ENTRIES),
                      IgniteTrial::thick,
                      (trial, cache) -> trial.get(cache.get()),
                      IgnitePath.Cache.NEAR)),
              both(
                  new Kind(
                      read("get-all", "cache.getAll of the keys in batches.", READ_BATCH),
                      (trial, cache) -> trial.getAll(cache.getAll()))))
          .flatMap(List::stream)
          .toList();

  static final List<IgnitePath> MIXES =
      List.of(
          path(
              mixed("mixed", MIXED, "get", "get-all", "scan", "put", "put-all", "invoke", "remove")
                  .asPlainest(),
              IgniteTrial::thick,
              CachePaths::thickMix),
          path(
              ThinClients.path(
                  mixed("mixed", MIXED, "get", "get-all", "scan", "put", "put-all", "remove"),
                  Optional.empty()),
              IgniteTrial::thin,
              (trial, cache) -> operations(trial, cache).open()),
          path(
              mixed(
                      "near-mixed",
                      "The same as mixed through a near cache in the client.",
                      "get",
                      "get-all",
                      "scan",
                      "put",
                      "put-all",
                      "remove")
                  .with(NEAR_ENTRIES),
              IgniteTrial::thick,
              (trial, cache) -> operations(trial, cache).open(),
              IgnitePath.Cache.NEAR));

  private CachePaths() {}

  /** Opens a path on a cache. */
  @FunctionalInterface
  interface Opening {
    FunctionPath open(IgniteTrial trial, CachePort<Object> cache);
  }

  /** Opens a cache through one kind of client. */
  @FunctionalInterface
  interface Client {

    /**
     * @param binary whether values are taken and given as binary objects
     */
    CachePort<Object> open(IgniteTrial trial, boolean binary);
  }

  /**
   * A call of a cache.
   *
   * @param thin what it promises through a thin client; empty for the same
   */
  private record Kind(PathDescription thick, Optional<Guarantee> thin, Opening opening) {
    Kind(PathDescription thick, Opening opening) {
      this(thick, Optional.empty(), opening);
    }

    Kind(PathDescription thick, Guarantee thin, Opening opening) {
      this(thick, Optional.of(thin), opening);
    }
  }

  private static List<IgnitePath> both(Kind... kinds) {
    List<IgnitePath> paths = new ArrayList<>();
    for (Kind kind : kinds) {
      paths.add(path(kind.thick, IgniteTrial::thick, kind.opening));
      paths.add(path(ThinClients.path(kind.thick, kind.thin), IgniteTrial::thin, kind.opening));
    }
    return paths;
  }

  /** A path whose client is closed with it. */
  static IgnitePath path(PathDescription description, Client client, Opening opening) {
    return path(description, client, opening, IgnitePath.Cache.ANY);
  }

  private static IgnitePath path(
      PathDescription description, Client client, Opening opening, IgnitePath.Cache needed) {
    boolean reads = description.job() == Job.AGGREGATE;
    return new IgnitePath(
        description.with(KeyForm.SETTING),
        trial -> {
          CachePort<Object> cache = client.open(trial, reads || trial.writesBinary());
          return opening.open(trial, cache).closing(cache);
        },
        needed);
  }

  private static PathDescription mixed(String name, String meaning, String... operations) {
    return mix(name, Guarantee.OF_ONE, meaning, PathSettings.mix(operations), MIX_BATCH, MAP);
  }

  private static Mix<Object, Object> operations(IgniteTrial trial, CachePort<Object> cache) {
    Mix<Object, Object> mix =
        trial
            .mixed("put", cache.get(), cache.put())
            .getAll(cache.getAll())
            .putAll(cache.putAll())
            .remove(cache.remove());
    Affinity<Object> affinity = trial.ignite().affinity(trial.cacheName());
    int page = PageSize.of(trial.records(), SCAN_PAGE);
    return mix.with(
        "scan",
        Effect.READ,
        (call, i, key) -> {
          ScanQuery<Object, Object> query = new ScanQuery<>(affinity.partition(key));
          query.setPageSize(page);
          mix.found(call, i, scan(cache.scan().apply(query), call, key));
        });
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
  private static FunctionPath thickMix(IgniteTrial trial, CachePort<Object> cache) {
    boolean invokes =
        trial
            .settings()
            .find(PathSettings.MIX)
            .filter(mix -> mix.byName().containsKey("invoke"))
            .isPresent();
    if (invokes && !trial.client().serversKnowUs()) {
      throw new GridException(
          "The operation 'invoke' of a mix needs Pyrometer's classes on the servers: take it out of 'mix' for a grid that is attached to.");
    }
    IgniteCache<Object, Object> any = trial.ignite().cache(trial.cacheName());
    IgniteCache<Object, Object> invoked = trial.writesBinary() ? any.withKeepBinary() : any;
    IntFunction<Object> values = trial.values();
    Replacement replacement = new Replacement();
    Mix<Object, Object> mix = operations(trial, cache);
    return mix.with(
            "invoke",
            Effect.WRITE,
            (call, i, key) ->
                mix.found(call, i, invoked.invoke(key, replacement, values.apply(call.record(i)))))
        .open();
  }

  private static FunctionPath putAsync(IgniteTrial trial, CachePort<Object> cache) {
    IntFunction<Object> values = trial.values();
    return trial.asynchronous(
        trial.settings().get(PathSettings.IN_FLIGHT),
        1,
        call -> cache.putAsync().begin(trial.key(call.key(0)), values.apply(call.record(0)), call));
  }

  /** One batch waits while the one before is sent, so that the order of writes is kept. */
  private static FunctionPath putAllDoubleBuffer(IgniteTrial trial, CachePort<Object> cache) {
    IntFunction<Object> values = trial.values();
    AtomicLong merged = new AtomicLong();
    ThreadPoolExecutor sender =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    sender.allowCoreThreadTimeOut(true); // it needs no end
    return trial
        .asynchronous(
            2,
            trial.settings().get(PathSettings.BATCH),
            call -> {
              Map<Object, Object> batch = trial.batch(call, values);
              merged.addAndGet(call.size() - batch.size());
              CompletableFuture<Void> unused =
                  CompletableFuture.runAsync(() -> cache.putAll().accept(batch), sender)
                      .whenComplete((done, failure) -> FunctionPath.end(call, failure));
            })
        .merging(merged::get);
  }

  private static FunctionPath putAllAsync(IgniteTrial trial, CachePort<Object> cache) {
    IntFunction<Object> values = trial.values();
    AtomicLong merged = new AtomicLong();
    return trial
        .asynchronous(
            trial.settings().get(PathSettings.IN_FLIGHT),
            trial.settings().get(PathSettings.BATCH),
            call -> {
              Map<Object, Object> batch = trial.batch(call, values);
              merged.addAndGet(call.size() - batch.size());
              cache.putAllAsync().accept(batch, call);
            })
        .merging(merged::get);
  }
}
