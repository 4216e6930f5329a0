package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.batch;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.value;
import static java.util.stream.Collectors.toMap;
import static org.apache.ignite.transactions.TransactionConcurrency.OPTIMISTIC;
import static org.apache.ignite.transactions.TransactionConcurrency.PESSIMISTIC;
import static org.apache.ignite.transactions.TransactionIsolation.REPEATABLE_READ;
import static org.apache.ignite.transactions.TransactionIsolation.SERIALIZABLE;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.binary.BinaryObjectBuilder;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.AffinityKey;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.transactions.Transaction;

/** Faults of the application's cache, its data and its transactions. */
final class CacheFaults {
  private CacheFaults() {}

  static final List<PlantedFault> ALL =
      List.of(
          PlantedFault.of("reads-of-the-primary", "FULL_SYNC with `readFromBackup` off")
              .cache(
                  cache ->
                      cache
                          .setReadFromBackup(false)
                          .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)),
          PlantedFault.of("asynchronous-writes", "FULL_ASYNC and reads after own writes")
              .cache(
                  cache ->
                      cache.setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_ASYNC))
              .load(
                  (application, step) -> {
                    application.cache().put(step % 1_000, step);
                    if (!Long.valueOf(step).equals(application.cache().get(step % 1_000))) {
                      application.saw("an older value than its own write");
                    }
                  }),
          PlantedFault.of("on-heap-entries", "on-heap cache without eviction policy")
              .cache(cache -> cache.setOnheapCacheEnabled(true)),
          PlantedFault.of("expiry-on-access", "expiry that each read renews")
              .cache(
                  cache ->
                      cache.setExpiryPolicyFactory(
                          AccessedExpiryPolicy.factoryOf(new Duration(TimeUnit.HOURS, 1)))),
          PlantedFault.of("cache-groups", "60 caches outside of groups")
              .servers(Servers.of(PlantedFault.region(2_048, "")).flags("-Xmx1g"))
              .setup(
                  application ->
                      application
                          .client()
                          .createCaches(
                              IntStream.range(0, 60)
                                  .mapToObj(i -> new CacheConfiguration<>("tenant-" + i))
                                  .collect(Collectors.toList())))
              .load(
                  (application, step) ->
                      application.client().cache("tenant-" + step % 60).putAll(batch(20))),
          PlantedFault.of("skewed-entries", "all entries with one affinity key")
              .load(
                  (application, step) ->
                      application
                          .cache()
                          .putAll(
                              IntStream.range(0, 500)
                                  .boxed()
                                  .collect(
                                      toMap(
                                          i -> new AffinityKey<>(step * 500 + i, 1),
                                          i -> value(100))))),
          PlantedFault.of("skewed-memory", "values of 512 KiB in one partition")
              .cache(cache -> cache.setBackups(0))
              .load(
                  (application, step) -> {
                    for (long key = step * 1_000; step < 300 && key < (step + 1) * 1_000; key++) {
                      if (application.client().affinity(CACHE).partition(key) == 7) {
                        application.cache().put(key, new byte[512 << 10]);
                      }
                    }
                    application.cache().get(step % 1_000);
                  }),
          PlantedFault.of("writes-to-replicated-caches", "nine writes a read of a REPLICATED cache")
              .servers(Servers.STOCK.count(3))
              .cache(cache -> cache.setCacheMode(CacheMode.REPLICATED))
              .load(
                  (application, step) -> {
                    if (step / 4 % 10 == 0) {
                      application.cache().get(key());
                    } else {
                      application.cache().put(key(), value(200));
                    }
                  })
              .threads(4),
          PlantedFault.of("hot-stripe", "all entry processors on one key")
              .servers(Servers.WITH_CODE)
              .load(
                  (application, step) -> {
                    application.free().acquire();
                    application
                        .cache()
                        .invokeAsync(1L, new PlantedCode.Computing())
                        .listen(ended -> application.free().release());
                  }),
          PlantedFault.of("single-gets", "gets one by one in place of `getAll`")
              .setup(application -> application.fill(1_000, value(100)))
              .load((application, step) -> application.cache().get(step % 1_000))
              .threads(4),
          PlantedFault.of("small-writes", "puts one by one in place of `putAll`")
              .load((application, step) -> application.cache().put(key(), value(100)))
              .threads(4),
          PlantedFault.of("scan-queries", "scan queries that look for single entries")
              .servers(Servers.WITH_CODE)
              .setup(
                  application -> {
                    for (int from = 0; from < 30_000; from += 5_000) {
                      application
                          .cache()
                          .putAll(
                              IntStream.range(from, from + 5_000)
                                  .boxed()
                                  .collect(toMap(Long::valueOf, i -> "customer " + i)));
                    }
                  })
              .load(
                  (application, step) -> {
                    try (QueryCursor<?> found =
                        application
                            .cache()
                            .query(
                                new ScanQuery<>(
                                    new PlantedCode.Equal("customer " + step % 30_000)))) {
                      if (found.getAll().size() != 1) {
                        application.saw("another number than one entry");
                      }
                    }
                    TimeUnit.MILLISECONDS.sleep(10);
                  }),
          PlantedFault.of("binary-schemas", "objects with ever new sets of fields")
              .load(
                  (application, step) -> {
                    BinaryObjectBuilder order = application.client().binary().builder("Order");
                    long fields = step * 0x9E37_79B9_7F4A_7C15L;
                    for (int i = 0; i < 24; i++) {
                      if ((fields >>> 40 + i & 1) == 1) {
                        order.setField("attribute" + i, i);
                      }
                    }
                    application.cache().put(key(), order.build());
                  }),
          PlantedFault.of(
                  "transactional-single-writes", "TRANSACTIONAL cache with puts of one entry")
              .transactional()
              .load((application, step) -> application.cache().put(key(), value(100)))
              .threads(4),
          PlantedFault.of(
                  "long-transactions", "a transaction whose thread ended; others wait for its key")
              .transactional()
              .setup(
                  application ->
                      inAThreadThatEnds(
                          () -> {
                            application.client().transactions().txStart();
                            application.cache().put(7L, "held");
                          }))
              .load(
                  (application, step) -> {
                    try (Transaction some = application.client().transactions().txStart()) {
                      application.cache().put(key(100), value(100));
                      some.commit();
                    }
                  })
              .threads(4),
          PlantedFault.of("explicit-locks", "a lock of a key that is never released")
              .transactional()
              .setup(application -> inAThreadThatEnds(() -> application.cache().lock(7L).lock()))
              .load((application, step) -> application.cache().put(key(100), value(100)))
              .threads(4),
          PlantedFault.of("contended-keys", "twelve transactions that write one key")
              .transactional()
              .load(
                  (application, step) -> {
                    try (Transaction counting =
                        application.client().transactions().txStart(PESSIMISTIC, REPEATABLE_READ)) {
                      Object count = application.cache().get(0L);
                      TimeUnit.MILLISECONDS.sleep(8);
                      application.cache().put(0L, String.valueOf(count).length() + "");
                      counting.commit();
                    }
                  })
              .threads(12),
          PlantedFault.of(
                  "rolled-back-transactions", "conflicts of OPTIMISTIC SERIALIZABLE transactions")
              .transactional()
              .load(
                  (application, step) -> {
                    try (Transaction counting =
                        application.client().transactions().txStart(OPTIMISTIC, SERIALIZABLE)) {
                      Object count = application.cache().get(step % 3);
                      application.cache().put(step % 3, count == null ? 1L : (Long) count + 1);
                      counting.commit();
                    }
                  })
              .threads(8),
          PlantedFault.of("unordered-put-all", "`putAll` of unsorted keys by both kinds of clients")
              .transactional()
              .load(
                  (application, step) -> {
                    if (step % 2 == 0) {
                      application.cache().putAll(shuffled());
                    } else {
                      application.thin(2, false).putAll(shuffled());
                    }
                  })
              .threads(6),
          PlantedFault.of("slow-cache-operations", "entry processor that waits 150 ms")
              .servers(Servers.WITH_CODE)
              .load(
                  (application, step) ->
                      application.cache().invoke(key(), new PlantedCode.Blocking(150)))
              .threads(4),
          PlantedFault.of("slow-cache-operations", "filter of a continuous query that blocks")
              .servers(Servers.WITH_CODE)
              .setup(
                  application -> {
                    ContinuousQuery<Object, Object> query = new ContinuousQuery<>();
                    query.setLocalListener(events -> {});
                    query.setRemoteFilterFactory(
                        FactoryBuilder.factoryOf(new PlantedCode.Waiting()));
                    application.hold(application.cache().query(query));
                  })
              .load(
                  (application, step) -> {
                    application.cache().putAsync(key(), value(100));
                    TimeUnit.MILLISECONDS.sleep(20);
                  })
              .threads(1),
          PlantedFault.of("slow-cache-operations", "read-through to a slow store")
              .servers(Servers.WITH_CODE)
              .cache(
                  cache ->
                      cache
                          .setCacheStoreFactory(
                              FactoryBuilder.factoryOf(PlantedCode.SlowStore.class))
                          .setReadThrough(true))
              .load((application, step) -> application.cache().get(step))
              .threads(8));

  private static Map<Object, Object> shuffled() {
    List<Integer> keys = IntStream.range(0, 200).boxed().collect(Collectors.toList());
    Collections.shuffle(keys);
    Map<Object, Object> some = new LinkedHashMap<>();
    keys.forEach(key -> some.put(key, value(100)));
    return some;
  }

  private static void inAThreadThatEnds(Runnable action) throws InterruptedException {
    Thread thread = new Thread(action);
    thread.start();
    thread.join();
  }
}
