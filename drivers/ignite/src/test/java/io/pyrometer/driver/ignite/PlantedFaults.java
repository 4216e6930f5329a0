package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.CACHE;
import static io.pyrometer.driver.ignite.PlantedFault.JOIN;
import static io.pyrometer.driver.ignite.PlantedFault.MIX;
import static io.pyrometer.driver.ignite.PlantedFault.fill;
import static io.pyrometer.driver.ignite.PlantedFault.key;
import static io.pyrometer.driver.ignite.PlantedFault.keys;
import static io.pyrometer.driver.ignite.PlantedFault.ownClasses;
import static io.pyrometer.driver.ignite.PlantedFault.persistent;
import static io.pyrometer.driver.ignite.PlantedFault.region;
import static io.pyrometer.driver.ignite.PlantedFault.tables;
import static io.pyrometer.driver.ignite.PlantedFault.value;
import static org.apache.ignite.transactions.TransactionConcurrency.PESSIMISTIC;
import static org.apache.ignite.transactions.TransactionIsolation.REPEATABLE_READ;

import io.pyrometer.driver.ignite.PlantedFault.Step;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.transactions.Transaction;

/** The faults that are planted. */
final class PlantedFaults {
  private static final String GC_LOG = " -XX:+UseG1GC -Xlog:gc*:file=target/planted-gc-%p.log";

  private PlantedFaults() {}

  /** Fault of two servers of which the second is behind a slow link. */
  static final PlantedFault SLOW_LINK = inLoad("uneven-load", 2, PlantedFaults::manyAtOnce);

  /** The servers do not know the statements of a thick client. */
  static final PlantedFault THICK_SEARCH =
      inLoad(
          "missing-index",
          4,
          (application, step) -> PlantedFault.search(application, step, application::sqlOfNode));

  static final List<PlantedFault> ALL =
      List.of(
          SLOW_LINK,
          inCache("backups", cache -> cache.setBackups(0)),
          inCache(
              "stale-backup-reads",
              cache ->
                  cache.setWriteSynchronizationMode(CacheWriteSynchronizationMode.PRIMARY_SYNC)),
          inCache("reads-of-the-primary", cache -> cache.setReadFromBackup(false)),
          inCache("on-heap-entries", cache -> cache.setOnheapCacheEnabled(true)),
          inCache(
              "expiry-on-access",
              cache ->
                  cache.setExpiryPolicyFactory(
                      AccessedExpiryPolicy.factoryOf(new Duration(TimeUnit.HOURS, 1)))),
          new PlantedFault(
              "skewed-entries",
              region(512, ""),
              "",
              cache -> cache.setAffinity(new RendezvousAffinityFunction(false, 5)),
              (application, step) ->
                  application
                      .cache()
                      .putAll(
                          IntStream.range(0, 500)
                              .boxed()
                              .collect(
                                  Collectors.toMap(
                                      i -> (Object) (step * 500 + i),
                                      i -> "x",
                                      (a, b) -> a,
                                      TreeMap::new))),
              1),
          inLoad(
              "partition-awareness",
              4,
              (application, step) -> application.thin(2, false).put(key(), value(100))),
          inLoad(
              "short-lived-connections",
              4,
              (application, step) -> {
                try (IgniteClient once = application.connect(2, true)) {
                  once.cache(CACHE).put(key(), value(100));
                }
              }),
          inLoad(
              "thin-clients-of-one-server",
              4,
              (application, step) -> {
                application.thin(1, false).getAll(keys(50));
                TimeUnit.MILLISECONDS.sleep(50);
              }),
          inLoad(
              "single-gets",
              4,
              (application, step) -> {
                if (step < 1_000) {
                  application.cache().put(step, value(100));
                } else {
                  application.cache().get(step % 1_000);
                }
              }),
          inLoad(
              "streamer-receiver",
              1,
              (application, step) -> {
                try (IgniteDataStreamer<Object, Object> streamer =
                    application.client().dataStreamer(CACHE)) {
                  streamer.allowOverwrite(true);
                  streamer.perNodeBufferSize(200);
                  for (int i = 0; i < 5_000; i++) {
                    streamer.addData(key(), value(100));
                  }
                }
              }),
          inTransactions(
              "transactional-single-writes",
              4,
              (application, step) -> application.cache().put(key(), value(100))),
          inTransactions(
              "long-transactions",
              1,
              (application, step) -> {
                try (Transaction open = application.client().transactions().txStart()) {
                  application.cache().put(step, "held");
                  while (!application.ended().get()) {
                    TimeUnit.MILLISECONDS.sleep(20);
                  }
                  open.commit();
                }
              }),
          inTransactions(
              "contended-keys",
              12,
              (application, step) -> {
                try (Transaction counting =
                    application.client().transactions().txStart(PESSIMISTIC, REPEATABLE_READ)) {
                  Object count = application.cache().get(0L);
                  TimeUnit.MILLISECONDS.sleep(8);
                  application.cache().put(0L, String.valueOf(count).length() + "");
                  counting.commit();
                }
              }),
          inServerCode(
              "hot-stripe",
              2,
              (application, step) -> {
                application.free().acquire();
                application
                    .cache()
                    .invokeAsync(1L, new PlantedCode.Computing())
                    .listen(ended -> application.free().release());
              }),
          inServerCode(
              "slow-cache-operations",
              4,
              (application, step) -> application.cache().invoke(key(), new PlantedCode.Blocking())),
          new PlantedFault(
              "thread-pools",
              region(512, "") + "<property name=\"publicThreadPoolSize\" value=\"1\"/>",
              ownClasses(),
              cache -> cache,
              (application, step) ->
                  application
                      .client()
                      .compute(application.client().cluster().forServers())
                      .callAsync(new PlantedCode.Nested())
                      .get(3, TimeUnit.SECONDS),
              4),
          inServerCode(
              "slow-cache-operations",
              1,
              (application, step) -> {
                if (step == 0) {
                  ContinuousQuery<Object, Object> query = new ContinuousQuery<>();
                  query.setLocalListener(events -> {});
                  query.setRemoteFilterFactory(FactoryBuilder.factoryOf(new PlantedCode.Waiting()));
                  application.cache().query(query);
                }
                application.cache().putAsync(key(), value(100));
                TimeUnit.MILLISECONDS.sleep(20);
              }),
          inTransactions(
              "unordered-put-all",
              6,
              (application, step) -> {
                List<Integer> keys = IntStream.range(0, 200).boxed().collect(Collectors.toList());
                Collections.shuffle(keys);
                Map<Object, Object> some = new LinkedHashMap<>();
                keys.forEach(key -> some.put(key, value(100)));
                if (step % 2 == 0) {
                  application.cache().putAll(some);
                } else {
                  application.thin(2, false).putAll(some);
                }
              }),
          inLoad(
              "non-collocated-join",
              4,
              (application, step) -> {
                tables(application, step, "");
                application.sql(JOIN);
              }),
          inLoad(
              "missing-index",
              4,
              (application, step) -> PlantedFault.search(application, step, application::sql)),
          THICK_SEARCH,
          inLoad(
              "small-writes", 4, (application, step) -> application.cache().put(key(), value(100))),
          inLoad(
              "skipped-keys",
              2,
              (application, step) -> {
                try (IgniteDataStreamer<Object, Object> streamer =
                    application.client().dataStreamer(CACHE)) {
                  streamer.perNodeBufferSize(10);
                  for (long i = 0; i < 100; i++) {
                    streamer.addData(i, value(100));
                  }
                }
              }),
          new PlantedFault(
              "striped-pool",
              region(512, "") + "<property name=\"stripedPoolSize\" value=\"1\"/>",
              "",
              cache -> cache,
              PlantedFaults::manyAtOnce,
              2),
          inLoad(
              "uneven-load",
              2,
              (application, step) -> {
                if (step == 0) {
                  application.second().runSometimes();
                }
                manyAtOnce(application, step);
              }),
          new PlantedFault(
              "skewed-memory",
              region(512, ""),
              "",
              cache -> cache.setBackups(0),
              (application, step) -> {
                for (long key = step * 1_000; step < 300 && key < (step + 1) * 1_000; key++) {
                  if (application.client().affinity(CACHE).partition(key) == 7) {
                    application.cache().put(key, new byte[512 << 10]);
                  }
                }
                application.cache().get(step % 1_000);
              },
              2),
          inTasks("deadlock", step -> new PlantedCode.Locking(step % 2 == 0)),
          inTasks("contended-lock", step -> new PlantedCode.Synchronized()),
          inTasks("explicit-collections", step -> new PlantedCode.Collecting()),
          new PlantedFault(
              "large-objects",
              region(512, ""),
              GC_LOG,
              cache -> cache,
              (application, step) -> application.cache().put(step % 20, new byte[2 << 20]),
              2),
          inLoad(
              "partition-map-exchange",
              1,
              (application, step) -> {
                try (Ignite other = application.join("passing-" + step)) {
                  other.cache(CACHE).get(1);
                }
              }),
          inServers(
              "region-nearly-full",
              region(64, ""),
              (application, step) -> {
                if (application.cache().metrics() != null && step < 700) {
                  fill(application, step, 50);
                }
              }),
          inServers(
              "page-eviction",
              region(64, "<property name=\"pageEvictionMode\" value=\"RANDOM_LRU\"/>"),
              (application, step) -> fill(application, step, 100)),
          inServers(
              "page-replacement",
              persistent(64, "", "<property name=\"metricsEnabled\" value=\"true\"/>"),
              (application, step) -> fill(application, step, 100)),
          inServers(
              "wal-mode", persistent(256, "<property name=\"walMode\" value=\"FSYNC\"/>", ""), MIX),
          inServers(
              "wal-segment-size",
              persistent(256, "<property name=\"walSegmentSize\" value=\"1048576\"/>", ""),
              MIX),
          inServers(
              "write-throttling",
              persistent(
                  256, "", "<property name=\"checkpointPageBufferSize\" value=\"4194304\"/>"),
              MIX),
          inServers(
              "peer-class-loading",
              region(512, "") + "<property name=\"peerClassLoadingEnabled\" value=\"true\"/>",
              MIX),
          new PlantedFault(
              "collector", region(512, ""), "-Xmx4g -XX:+UseSerialGC", cache -> cache, MIX, 1),
          new PlantedFault(
              "heap",
              region(512, ""),
              "-Xmx144m",
              cache -> cache.setOnheapCacheEnabled(true),
              (application, step) -> fill(application, step % 70, 1_000),
              2),
          inLoad(
              "pauses",
              1,
              (application, step) -> {
                application.second().signal("-STOP");
                TimeUnit.MILLISECONDS.sleep(1_200);
                application.second().signal("-CONT");
                TimeUnit.MILLISECONDS.sleep(1_000);
              }));

  private static PlantedFault inCache(
      String check, UnaryOperator<CacheConfiguration<Object, Object>> change) {
    return new PlantedFault(check, region(512, ""), "", change, MIX, 1);
  }

  private static PlantedFault inLoad(String check, int threads, Step load) {
    return new PlantedFault(check, region(512, ""), "", cache -> cache, load, threads);
  }

  private static PlantedFault inServerCode(String check, int threads, Step load) {
    return new PlantedFault(check, region(512, ""), ownClasses(), cache -> cache, load, threads);
  }

  private static PlantedFault inTransactions(String check, int threads, Step load) {
    return new PlantedFault(
        check,
        region(512, ""),
        "",
        cache -> cache.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL),
        load,
        threads);
  }

  private static PlantedFault inServers(String check, String properties, Step load) {
    return new PlantedFault(check, properties, "", cache -> cache, load, 1);
  }

  /** Tasks on all servers; they may never end. */
  private static PlantedFault inTasks(String check, LongFunction<IgniteRunnable> task) {
    return new PlantedFault(
        check,
        region(512, ""),
        ownClasses() + GC_LOG,
        cache -> cache,
        (application, step) ->
            application
                .client()
                .compute(application.client().cluster().forServers())
                .broadcastAsync(task.apply(step))
                .get(3, TimeUnit.SECONDS),
        6);
  }

  /** Many writes wait for the servers at any time. */
  static void manyAtOnce(Application application, long step) throws InterruptedException {
    Map<Object, Object> some = new TreeMap<>();
    for (int i = 0; i < 50; i++) {
      some.put(key(), value(2_000));
    }
    application.free().acquire();
    application.cache().putAllAsync(some).listen(ended -> application.free().release());
  }

  static Optional<PlantedFault> named(String check) {
    return ALL.stream().filter(fault -> fault.name().equals(check)).findFirst();
  }
}
