package io.pyrometer.driver.ignite;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteDataStreamer;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.transactions.Transaction;

/**
 * A fault that is planted into a cluster of two servers: in their configuration, in the cache, or
 * in how an application uses it.
 *
 * @param check the one that should find it
 * @param properties of the servers' configuration
 * @param flags of their JVMs
 * @param cache changes the application's cache
 * @param load what the application does, again and again; the number of the step is given
 * @param threads of the application
 */
record PlantedFault(
    String check,
    String properties,
    String flags,
    UnaryOperator<CacheConfiguration<Object, Object>> cache,
    Step load,
    int threads) {
  static final String CACHE = "orders";
  private static final int KEYS = 20_000;
  private static final String GC_LOG = " -XX:+UseG1GC -Xlog:gc*:file=target/planted-gc-%p.log";

  /** One step of one thread of the application. */
  interface Step {
    void run(Application application, long step) throws Exception;
  }

  /**
   * What the application has at hand.
   *
   * @param thin addresses of the servers for thin clients
   */
  record Application(
      Ignite client,
      IgniteCache<Object, Object> cache,
      List<String> thin,
      StockNode first,
      StockNode second,
      AtomicBoolean ended) {
    private static final ThreadLocal<IgniteClient> CLIENTS = new ThreadLocal<>();

    Ignite join(String name) {
      return Ignition.start(first.client(name));
    }

    ClientCache<Object, Object> thin(int servers, boolean aware) {
      IgniteClient own = CLIENTS.get();
      if (own == null) {
        own =
            Ignition.startClient(
                new ClientConfiguration()
                    .setAddresses(thin.stream().limit(servers).toArray(String[]::new))
                    .setPartitionAwarenessEnabled(aware));
        CLIENTS.set(own);
      }
      return own.cache(CACHE);
    }
  }

  static final Step NOTHING = (application, step) -> TimeUnit.MILLISECONDS.sleep(100);

  static final Step MIX =
      (application, step) -> {
        Map<Object, Object> some = new TreeMap<>();
        for (int i = 0; i < 50; i++) {
          some.put(key(), value(100));
        }
        application.cache.putAll(some);
        application.cache.getAll(some.keySet());
      };

  static PlantedFault healthy() {
    return new PlantedFault(
        "",
        region(512, ""),
        "",
        cache ->
            cache
                .setOnheapCacheEnabled(true)
                .setEvictionPolicyFactory(new LruEvictionPolicyFactory<>(1_000)),
        MIX,
        2);
  }

  static final List<PlantedFault> ALL =
      List.of(
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
                  application.cache.putAll(
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
              (application, step) -> application.thin(2, false).put(key(), value(100))),
          inLoad(
              "thin-clients-of-one-server",
              (application, step) -> {
                application.thin(1, false).getAll(keys(50));
                TimeUnit.MILLISECONDS.sleep(50);
              }),
          inLoad(
              "single-gets",
              (application, step) -> {
                if (step < 1_000) {
                  application.cache.put(step, value(100));
                } else {
                  application.cache.get(step % 1_000);
                }
              }),
          new PlantedFault(
              "streamer-receiver",
              region(512, ""),
              "",
              cache -> cache,
              (application, step) -> {
                try (IgniteDataStreamer<Object, Object> streamer =
                    application.client.dataStreamer(CACHE)) {
                  streamer.allowOverwrite(true);
                  streamer.perNodeBufferSize(200);
                  for (int i = 0; i < 5_000; i++) {
                    streamer.addData(key(), value(100));
                  }
                }
              },
              1),
          new PlantedFault(
              "transactional-single-writes",
              region(512, ""),
              "",
              cache -> cache.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL),
              (application, step) -> application.cache.put(key(), value(100)),
              4),
          new PlantedFault(
              "long-transactions",
              region(512, ""),
              "",
              cache -> cache.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL),
              (application, step) -> {
                try (Transaction open = application.client.transactions().txStart()) {
                  application.cache.put(step, "held");
                  while (!application.ended.get()) {
                    TimeUnit.MILLISECONDS.sleep(20);
                  }
                  open.commit();
                }
              },
              1),
          new PlantedFault(
              "hot-stripe",
              region(512, ""),
              "",
              cache -> cache,
              (application, step) -> {
                application.cache.putAsync(1L, value(2_000));
                if (step % 20 == 0) {
                  application.cache.put(1L, value(2_000));
                }
              },
              8),
          new PlantedFault(
              "slow-cache-operations",
              region(512, ""),
              ownClasses(),
              cache -> cache,
              (application, step) -> application.cache.invoke(key(), new PlantedCode.Blocking()),
              4),
          new PlantedFault(
              "thread-pools",
              region(512, "") + "<property name=\"publicThreadPoolSize\" value=\"1\"/>",
              ownClasses(),
              cache -> cache,
              (application, step) ->
                  application
                      .client
                      .compute(application.client.cluster().forServers())
                      .callAsync(new PlantedCode.Nested())
                      .get(3, TimeUnit.SECONDS),
              4),
          new PlantedFault(
              "slow-cache-operations",
              region(512, ""),
              ownClasses(),
              cache -> cache,
              (application, step) -> {
                if (step == 0) {
                  ContinuousQuery<Object, Object> query = new ContinuousQuery<>();
                  query.setLocalListener(events -> {});
                  query.setRemoteFilterFactory(FactoryBuilder.factoryOf(new PlantedCode.Waiting()));
                  application.cache.query(query);
                }
                application.cache.putAsync(key(), value(100));
                TimeUnit.MILLISECONDS.sleep(20);
              },
              1),
          new PlantedFault(
              "unordered-put-all",
              region(512, ""),
              "",
              cache -> cache.setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL),
              (application, step) -> {
                List<Integer> keys = IntStream.range(0, 200).boxed().collect(Collectors.toList());
                Collections.shuffle(keys);
                Map<Object, Object> some = new LinkedHashMap<>();
                keys.forEach(key -> some.put(key, value(100)));
                if (step % 2 == 0) {
                  application.cache.putAll(some);
                } else {
                  application.thin(2, false).putAll(some);
                }
              },
              6),
          inLoad(
              "non-collocated-join",
              (application, step) -> {
                ClientCache<Object, Object> any = application.thin(2, true);
                if (step < 4) {
                  for (String table : List.of("ORDERS", "CUSTOMER")) {
                    run(
                        any,
                        "create table if not exists %s (ID int primary key, CUSTOMER int) with \"backups=1\""
                            .formatted(table));
                  }
                }
                run(any, "merge into ORDERS (ID, CUSTOMER) values (?, ?)", step % 500, step % 50);
                run(any, "merge into CUSTOMER (ID, CUSTOMER) values (?, ?)", step % 50, 1);
                run(any, "select count(*) from ORDERS o join CUSTOMER c on o.CUSTOMER = c.ID");
              }),
          inTasks("deadlock", step -> new PlantedCode.Locking(step % 2 == 0)),
          inTasks("contended-lock", step -> new PlantedCode.Synchronized()),
          inTasks("explicit-collections", step -> new PlantedCode.Collecting()),
          new PlantedFault(
              "large-objects",
              region(512, ""),
              GC_LOG,
              cache -> cache,
              (application, step) -> application.cache.put(step % 20, new byte[2 << 20]),
              2),
          new PlantedFault(
              "partition-map-exchange",
              region(512, ""),
              "",
              cache -> cache,
              (application, step) -> {
                try (Ignite other = application.join("passing-" + step)) {
                  other.cache(CACHE).get(1);
                }
              },
              1),
          inServers(
              "region-nearly-full",
              region(64, ""),
              (application, step) -> {
                if (application.cache.metrics() != null && step < 700) {
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
          new PlantedFault(
              "pauses",
              region(512, ""),
              "",
              cache -> cache,
              (application, step) -> {
                signal(application.second, "-STOP");
                TimeUnit.MILLISECONDS.sleep(1_200);
                signal(application.second, "-CONT");
                TimeUnit.MILLISECONDS.sleep(1_000);
              },
              1));

  private static void run(ClientCache<Object, Object> any, String sql, Object... arguments) {
    any.query(new SqlFieldsQuery(sql).setSchema("PUBLIC").setArgs(arguments)).getAll();
  }

  private static void signal(StockNode node, String signal) throws Exception {
    new ProcessBuilder("kill", signal, "" + node.pid()).start().waitFor();
  }

  private static void fill(Application application, long step, int records) {
    Map<Object, Object> some = new TreeMap<>();
    for (long i = 0; i < records; i++) {
      some.put(step * records + i, value(1_000));
    }
    application.cache.putAll(some);
  }

  private static PlantedFault inCache(
      String check, UnaryOperator<CacheConfiguration<Object, Object>> change) {
    return new PlantedFault(check, region(512, ""), "", change, MIX, 1);
  }

  private static PlantedFault inLoad(String check, Step load) {
    return new PlantedFault(check, region(512, ""), "", cache -> cache, load, 4);
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
                .client
                .compute(application.client.cluster().forServers())
                .broadcastAsync(task.apply(step))
                .get(3, TimeUnit.SECONDS),
        6);
  }

  private static String region(int megabytes, String properties) {
    return storage("", megabytes, properties);
  }

  private static String persistent(int megabytes, String storage, String region) {
    return storage(
        "<property name=\"metricsEnabled\" value=\"true\"/>" + storage,
        megabytes,
        "<property name=\"persistenceEnabled\" value=\"true\"/>" + region);
  }

  private static String storage(String storage, int megabytes, String region) {
    return """
        <property name="dataStorageConfiguration">
          <bean class="org.apache.ignite.configuration.DataStorageConfiguration">
            %s
            <property name="defaultDataRegionConfiguration">
              <bean class="org.apache.ignite.configuration.DataRegionConfiguration">
                <property name="maxSize" value="%d"/>
                <property name="initialSize" value="%d"/>
                %s
              </bean>
            </property>
          </bean>
        </property>
        """
        .formatted(storage, (long) megabytes << 20, Math.min(64L, megabytes) << 20, region);
  }

  private static String ownClasses() {
    String path = System.getProperty("java.class.path");
    return "-cp " + path;
  }

  static Object key() {
    return (long) ThreadLocalRandom.current().nextInt(KEYS);
  }

  private static Set<Object> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> key()).collect(Collectors.toSet());
  }

  private static String value(int length) {
    return "x".repeat(length);
  }

  /** Long enough for what is called long, and for transactions to be seen. */
  java.time.Duration observed(java.time.Duration usual) {
    return switch (check) {
      case "long-transactions" -> java.time.Duration.ofSeconds(13);
      case "transactional-single-writes" -> java.time.Duration.ofSeconds(20);
      default -> usual;
    };
  }

  static Optional<PlantedFault> named(String check) {
    return ALL.stream().filter(fault -> fault.check.equals(check)).findFirst();
  }

  @Override
  public String toString() {
    return check.isEmpty() ? "healthy" : check;
  }
}
