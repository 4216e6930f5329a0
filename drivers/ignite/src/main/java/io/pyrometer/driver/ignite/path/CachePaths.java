package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.Mix;
import io.pyrometer.driver.PageSize;
import io.pyrometer.load.Call;
import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.PathSettings;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import javax.cache.Cache;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;

/**
 * Single records and batches by the calls of a cache, each through a thick client and through a
 * thin one.
 */
final class CachePaths {
  private static final int SCAN_PAGE = 1_024;

  private CachePaths() {}

  static FunctionPath scanAll(IgniteTrial trial, CachePort cache) {
    int page = PageSize.of(trial.records(), SCAN_PAGE);
    return trial.wholeSet(
        highest -> {
          ScanQuery<Object, Object> query = new ScanQuery<>();
          query.setPageSize(page);
          try (QueryCursor<Cache.Entry<Object, Object>> cursor = cache.scan().apply(query)) {
            cursor.forEach(entry -> trial.see(highest, entry.getValue()));
          }
        });
  }

  static Mix<Object, Object> operations(IgniteTrial trial, CachePort cache) {
    Mix<Object, Object> mix =
        trial
            .mixed("put", cache.get(), cache.put())
            .getAll(cache.getAll())
            .putAll(cache.putAll())
            .remove(cache.remove());
    Affinity<Object> affinity = trial.ignite().affinity(trial.cacheName);
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
  static FunctionPath thickMix(IgniteTrial trial, CachePort cache) {
    boolean invokes =
        trial
            .settings()
            .find(PathSettings.MIX)
            .filter(mix -> mix.byName().containsKey("invoke"))
            .isPresent();
    if (invokes && !trial.client.serversKnowUs()) {
      throw new GridException(
          "The operation 'invoke' of a mix needs Pyrometer's classes on the servers: take it out of"
              + " 'mix' for a grid that is attached to.");
    }
    IgniteCache<Object, Object> any = trial.ignite().cache(trial.cacheName);
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

  /** One batch waits while the one before is sent, so that the order of writes is kept. */
  static FunctionPath putAllDoubleBuffer(IgniteTrial trial, CachePort cache) {
    ExecutorService sender = Executors.newSingleThreadExecutor();
    return batches(
            trial,
            2,
            batch -> CompletableFuture.runAsync(() -> cache.putAll().accept(batch), sender))
        .closing(sender::shutdown);
  }

  static FunctionPath putAllAsync(IgniteTrial trial, CachePort cache) {
    return batches(trial, trial.settings().get(PathSettings.IN_FLIGHT), cache.putAllAsync());
  }

  private static FunctionPath batches(
      IgniteTrial trial, int window, Function<Map<Object, Object>, CompletionStage<?>> send) {
    IntFunction<Object> values = trial.values();
    AtomicLong merged = new AtomicLong();
    return trial
        .asynchronous(
            window,
            trial.settings().get(PathSettings.BATCH),
            call -> {
              Map<Object, Object> batch = trial.batch(call, values);
              merged.addAndGet(call.size() - batch.size());
              var unused =
                  send.apply(batch)
                      .whenComplete((none, failure) -> FunctionPath.end(call, failure));
            })
        .merging(merged::get);
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
}
