package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.cache.event.CacheEntryEvent;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.NearCacheConfiguration;
import org.apache.ignite.failure.NoOpFailureHandler;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports of others about Ignite, tried again: {@code lab/ignite-known-issues.md}. */
@Tag("extended")
class KnownIssuesIT {
  private static final int KEYS = 500;
  private static final String CACHE = "entries";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final List<Ignite> nodes = new ArrayList<>();

  @AfterEach
  void stopAll() {
    nodes.forEach(node -> Ignition.stop(node.name(), true));
  }

  private IgniteConfiguration configuration(String name, boolean persistent) {
    DataRegionConfiguration region =
        new DataRegionConfiguration().setPersistenceEnabled(persistent).setMaxSize(64L << 20);
    return new IgniteConfiguration()
        .setIgniteInstanceName(name)
        .setConsistentId(name)
        .setLocalHost("127.0.0.1")
        .setWorkDirectory(folder.resolve(name).toString())
        .setFailureHandler(new NoOpFailureHandler())
        .setConnectorConfiguration(null)
        .setClientConnectorConfiguration(null)
        .setDataStorageConfiguration(
            new DataStorageConfiguration()
                .setDefaultDataRegionConfiguration(region)
                .setWalSegmentSize(4 << 20)
                .setWalSegments(3))
        .setDiscoverySpi(
            new TcpDiscoverySpi()
                .setIpFinder(
                    new TcpDiscoveryVmIpFinder().setAddresses(List.of("127.0.0.1:47500..47509"))));
  }

  private Ignite server(int number, boolean persistent) {
    return node(configuration("server-" + number, persistent));
  }

  private Ignite client() {
    return node(configuration("client", false).setClientMode(true));
  }

  private Ignite node(IgniteConfiguration configuration) {
    Ignite started = Ignition.start(configuration);
    nodes.add(started);
    return started;
  }

  private void stop(Ignite node) {
    nodes.remove(node);
    Ignition.stop(node.name(), false);
  }

  private static CacheConfiguration<Integer, Integer> cache(CacheAtomicityMode mode) {
    return new CacheConfiguration<Integer, Integer>(CACHE)
        .setAtomicityMode(mode)
        .setBackups(1)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
        .setReadFromBackup(false);
  }

  private static Map<Integer, Integer> all(int value) {
    Map<Integer, Integer> all = new TreeMap<>();
    IntStream.range(0, KEYS).forEach(key -> all.put(key, value));
    return all;
  }

  private static void await(BooleanSupplier condition) {
    assertThat(Poll.until(PATIENCE, condition)).isTrue();
  }

  /** All servers hold all of their copies, as every server sees it. */
  private void awaitRebalanced() {
    List<Ignite> servers =
        nodes.stream().filter(node -> !node.configuration().isClientMode()).toList();
    await(() -> servers.stream().allMatch(node -> isWhole(node, servers.size())));
  }

  private static boolean isWhole(Ignite node, int servers) {
    var map =
        ((IgniteEx) node)
            .context()
            .cache()
            .internalCache(CACHE)
            .context()
            .topology()
            .partitionMap(false);
    return map.size() == servers && map.values().stream().noneMatch(it -> it.hasMovingPartitions());
  }

  /**
   * Versions of entries count the changes of the topology and the seconds from 2014 to the start of
   * the cluster together. Where a cluster starts again sooner than it had changes, its versions are
   * older than those of its data.
   */
  private void awaitFewerChangesThanSeconds() {
    IgniteEx first = (IgniteEx) nodes.get(0);
    long started = first.context().discovery().gridStartTime();
    await(
        () ->
            (System.currentTimeMillis() - started) / 1_000
                > first.context().discovery().topologyVersion() + 2);
  }

  /** Threads that end when they are told to, and whose failures are those of the test. */
  private final class Load implements AutoCloseable {
    private final AtomicBoolean ends = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    void start(Runnable step) {
      Thread thread =
          new Thread(
              () -> {
                while (!ends.get()) {
                  step.run();
                }
              });
      thread.setUncaughtExceptionHandler((which, why) -> failure.set(why));
      threads.add(thread);
      thread.start();
    }

    @Override
    public void close() {
      ends.set(true);
      assertThat(Poll.until(PATIENCE, () -> threads.stream().noneMatch(Thread::isAlive))).isTrue();
      assertThat(failure.get()).isNull();
    }
  }

  /**
   * A third server joins and leaves, several times.
   *
   * @param writes counted by the load, some of which are made with each set of servers
   */
  private void changeServers(AtomicInteger writes, int some) {
    for (int round = 0; round < 4; round++) {
      Ignite more = server(2, false);
      awaitRebalanced();
      awaitMore(writes, some);
      stop(more);
      awaitRebalanced();
      awaitMore(writes, some);
    }
  }

  private static void awaitMore(AtomicInteger writes, int some) {
    int enough = writes.get() + some;
    await(() -> writes.get() >= enough);
  }

  /** Issue 12540: while a transaction commits, {@code getAll} reads a part of its keys. */
  @Test
  void readsOfManyKeysSeePartsOfACommit() {
    Ignite ignite = server(0, false);
    IgniteCache<Integer, Integer> cache =
        ignite.getOrCreateCache(cache(CacheAtomicityMode.TRANSACTIONAL).setBackups(0));
    Set<Integer> keys = new TreeSet<>(all(0).keySet());
    cache.putAll(all(0));
    Map<TransactionIsolation, Integer> partial = new HashMap<>();
    for (TransactionIsolation isolation :
        List.of(TransactionIsolation.READ_COMMITTED, TransactionIsolation.REPEATABLE_READ)) {
      AtomicInteger value = new AtomicInteger();
      int mixed = 0;
      try (Load load = new Load()) {
        load.start(
            () -> {
              try (Transaction transaction =
                  ignite
                      .transactions()
                      .txStart(
                          TransactionConcurrency.PESSIMISTIC,
                          TransactionIsolation.REPEATABLE_READ)) {
                cache.putAll(all(value.incrementAndGet()));
                transaction.commit();
              }
            });
        for (int i = 0; i < 500; i++) {
          try (Transaction transaction =
              ignite.transactions().txStart(TransactionConcurrency.PESSIMISTIC, isolation)) {
            mixed += new HashSet<>(cache.getAll(keys).values()).size() > 1 ? 1 : 0;
            transaction.commit();
          }
        }
      }
      assertThat(value.get()).as("transactions").isGreaterThan(5);
      partial.put(isolation, mixed);
    }
    System.out.println("reads of 500 that saw parts of a commit: " + partial);
    assertThat(partial.get(TransactionIsolation.READ_COMMITTED)).isPositive();
    assertThat(partial.get(TransactionIsolation.REPEATABLE_READ)).isZero();
  }

  /** Issue 10611: a persistent node that was away brings back what was removed or replaced. */
  @ParameterizedTest
  @EnumSource(names = {"ATOMIC", "TRANSACTIONAL"})
  void aNodeThatWasAwayBringsNothingBack(CacheAtomicityMode mode) {
    IntStream.range(0, 3).forEach(number -> server(number, true));
    Ignite first = nodes.get(0);
    first.cluster().state(ClusterState.ACTIVE);
    IgniteCache<Integer, Integer> cache = first.createCache(cache(mode));
    for (int round = 0; round < 3; round++) {
      cache.putAll(all(round));
      stop(nodes.get(2));
      for (int key = 0; key < KEYS; key++) {
        if (key % 2 == 0) {
          cache.remove(key);
        } else {
          cache.put(key, round + 1_000);
        }
      }
      // Once with all others restarted, too, the one that was away first.
      if (round == 1) {
        awaitFewerChangesThanSeconds();
        stop(nodes.get(1));
        stop(nodes.get(0));
        server(2, true);
        server(0, true);
        server(1, true);
        await(() -> nodes.get(0).cluster().forServers().nodes().size() == 3);
        nodes.get(0).cluster().state(ClusterState.ACTIVE);
        cache = nodes.get(0).cache(CACHE);
      } else {
        server(2, true);
      }
      awaitRebalanced();
      Map<Integer, Set<Integer>> copies = new TreeMap<>();
      for (Ignite node : nodes) {
        node.<Integer, Integer>cache(CACHE)
            .localEntries(CachePeekMode.PRIMARY, CachePeekMode.BACKUP)
            .forEach(
                each ->
                    copies
                        .computeIfAbsent(each.getKey(), k -> new TreeSet<>())
                        .add(each.getValue()));
      }
      int value = round + 1_000;
      assertThat(copies.keySet()).as("removed, round " + round).allMatch(key -> key % 2 == 1);
      assertThat(copies).hasSize(KEYS / 2);
      assertThat(copies.values()).allMatch(values -> values.equals(Set.of(value)));
      nodes.sort((a, b) -> a.name().compareTo(b.name()));
      cache = nodes.get(0).cache(CACHE);
    }
  }

  /** IGNITE-627: a near cache keeps a value after the servers have changed. */
  @ParameterizedTest
  @EnumSource(names = {"ATOMIC", "TRANSACTIONAL"})
  void aNearCacheIsCurrentAfterTheServersHaveChanged(CacheAtomicityMode mode) {
    IntStream.range(0, 2).forEach(number -> server(number, false));
    Ignite reader = client();
    IgniteCache<Integer, Integer> near =
        reader.createCache(cache(mode), new NearCacheConfiguration<>());
    near.putAll(all(0));
    Ignite other = nodes.get(0);
    AtomicInteger written = new AtomicInteger();
    try (Load load = new Load()) {
      IgniteCache<Integer, Integer> own = other.cache(CACHE);
      load.start(() -> own.putAll(all(written.incrementAndGet())));
      load.start(() -> IntStream.range(0, KEYS).forEach(near::get));
      changeServers(written, 3);
    }
    Map<Integer, Integer> stale = new TreeMap<>();
    IgniteCache<Integer, Integer> cache = other.cache(CACHE);
    for (int key = 0; key < KEYS; key++) {
      Integer seen = near.get(key);
      if (!cache.get(key).equals(seen)) {
        stale.put(key, seen);
      }
    }
    assertThat(stale).as("of %d rounds of writes", written.get()).isEmpty();
  }

  /** IGNITE-3972: events of a continuous query are lost, or come twice, when servers change. */
  @ParameterizedTest
  @EnumSource(names = {"ATOMIC", "TRANSACTIONAL"})
  void aContinuousQueryTellsEachUpdateOnce(CacheAtomicityMode mode) {
    IntStream.range(0, 2).forEach(number -> server(number, false));
    Ignite listener = client();
    IgniteCache<Integer, Integer> cache = listener.createCache(cache(mode));
    Map<Integer, AtomicInteger> told = new ConcurrentHashMap<>();
    ContinuousQuery<Integer, Integer> query = new ContinuousQuery<>();
    query.setLocalListener(
        events -> {
          for (CacheEntryEvent<? extends Integer, ? extends Integer> event : events) {
            told.computeIfAbsent(event.getValue(), value -> new AtomicInteger()).incrementAndGet();
          }
        });
    AtomicInteger written = new AtomicInteger();
    QueryCursor<?> cursor = cache.query(query);
    try (Load load = new Load()) {
      IgniteCache<Integer, Integer> own = nodes.get(0).cache(CACHE);
      load.start(
          () -> {
            own.put(written.get() % KEYS, written.get());
            written.incrementAndGet();
          });
      changeServers(written, 500);
    }
    // Lost events do not come, however long one waits.
    boolean unused = Poll.until(Duration.ofSeconds(10), () -> told.size() >= written.get());
    cursor.close();
    List<Integer> lost =
        IntStream.range(0, written.get()).filter(v -> !told.containsKey(v)).boxed().toList();
    List<Integer> twice =
        told.entrySet().stream()
            .filter(e -> e.getValue().get() > 1)
            .map(Map.Entry::getKey)
            .toList();
    System.out.printf(
        "%s: %d updates, %d events lost, %d doubled%n",
        mode, written.get(), lost.size(), twice.size());
    assertThat(lost).isEmpty();
    assertThat(twice).isEmpty();
  }
}
