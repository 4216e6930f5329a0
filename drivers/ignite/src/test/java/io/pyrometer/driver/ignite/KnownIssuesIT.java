package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.FaultyCommunication.Fault;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.NearCacheConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.cache.distributed.dht.preloader.GridDhtPartitionSupplyMessage;
import org.apache.ignite.spi.metric.ObjectMetric;
import org.apache.ignite.transactions.Transaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports of others about Ignite, tried again: {@code lab/ignite-defects.md}. */
@Tag("extended")
class KnownIssuesIT {
  private static final int KEYS = 500;
  private static final String CACHE = "entries";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private EmbeddedGrid grid;

  @BeforeEach
  void prepare() {
    grid = new EmbeddedGrid(folder, UnaryOperator.identity());
  }

  @AfterEach
  void stopAll() {
    grid.close();
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
      Ignite more = grid.server(2, false);
      grid.awaitRebalanced(CACHE);
      awaitMore(writes, some);
      grid.stop(more);
      grid.awaitRebalanced(CACHE);
      awaitMore(writes, some);
    }
  }

  private static void awaitMore(AtomicInteger writes, int some) {
    int enough = writes.get() + some;
    EmbeddedGrid.await(() -> writes.get() >= enough);
  }

  /** Not a record, whose fields Ignite cannot access. */
  private static class Stored {
    final int call;

    Stored(int call) {
      this.call = call;
    }
  }

  private static final class StoredToo extends Stored {
    StoredToo(int call) {
      super(call);
    }
  }

  /** Stores how often it was called: a number, or an object of a class. */
  private static final class Counted implements CacheEntryProcessor<Integer, Object, Integer> {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger CALLS = new AtomicInteger();
    private final Class<?> type;

    Counted(Class<?> type) {
      this.type = type;
    }

    @Override
    public Integer process(MutableEntry<Integer, Object> entry, Object... none) {
      int call = CALLS.incrementAndGet();
      entry.setValue(
          type == Stored.class
              ? new Stored(call)
              : type == StoredToo.class ? new StoredToo(call) : (Object) call);
      return call;
    }
  }

  /** {@code lab/ignite-defects.md}: twice if it stores the first value of a class. */
  @ParameterizedTest
  @CsvSource({"ATOMIC, 2", "TRANSACTIONAL, 1"})
  void aProcessorMayBeCalledTwiceByAnAtomicCache(CacheAtomicityMode mode, int calls) {
    Class<?> type = mode == CacheAtomicityMode.ATOMIC ? Stored.class : StoredToo.class;
    IgniteCache<Integer, Object> cache =
        grid.server(0, false)
            .createCache(new CacheConfiguration<Integer, Object>(CACHE).setAtomicityMode(mode));
    for (int key = 0; key < 3; key++) {
      Counted.CALLS.set(0);
      Class<?> stored = key < 2 ? type : Integer.class;
      int answered = cache.invoke(key, new Counted(stored));
      assertThat(answered).as("the last call is answered").isEqualTo(Counted.CALLS.get());
      assertThat(answered).as("key %d", key).isEqualTo(key == 0 ? calls : 1);
      assertThat(cache.get(key) instanceof Stored found ? found.call : cache.get(key))
          .as("and stored")
          .isEqualTo(answered);
    }
  }

  /** Issue 12540: while a transaction commits, {@code getAll} reads a part of its keys. */
  @Test
  void readsOfManyKeysSeePartsOfACommit() {
    Ignite ignite = grid.server(0, false);
    IgniteCache<Integer, Integer> cache =
        ignite.getOrCreateCache(cache(CacheAtomicityMode.TRANSACTIONAL).setBackups(0));
    Set<Integer> keys = new TreeSet<>(all(0).keySet());
    cache.putAll(all(0));
    Map<TransactionIsolation, Integer> partial = new HashMap<>();
    for (TransactionIsolation isolation :
        List.of(TransactionIsolation.READ_COMMITTED, TransactionIsolation.REPEATABLE_READ)) {
      AtomicInteger value = new AtomicInteger();
      boolean mixes = isolation == TransactionIsolation.READ_COMMITTED;
      int mixed = 0;
      long end = System.nanoTime() + PATIENCE.toNanos();
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
        for (int i = 0;
            i < 500 || ((value.get() <= 5 || (mixes && mixed == 0)) && System.nanoTime() < end);
            i++) {
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
    System.out.println("reads of 500 or more that saw parts of a commit: " + partial);
    assertThat(partial.get(TransactionIsolation.READ_COMMITTED)).isPositive();
    assertThat(partial.get(TransactionIsolation.REPEATABLE_READ)).isZero();
  }

  /** Issue 10611: a persistent node that was away brings back what was removed or replaced. */
  @ParameterizedTest
  @EnumSource(names = {"ATOMIC", "TRANSACTIONAL"})
  void aNodeThatWasAwayBringsNothingBack(CacheAtomicityMode mode) {
    IntStream.range(0, 3).forEach(number -> grid.server(number, true));
    Ignite first = grid.servers().get(0);
    first.cluster().state(ClusterState.ACTIVE);
    IgniteCache<Integer, Integer> cache = first.createCache(cache(mode));
    for (int round = 0; round < 3; round++) {
      cache.putAll(all(round));
      grid.stop(grid.servers().get(2));
      for (int key = 0; key < KEYS; key++) {
        if (key % 2 == 0) {
          cache.remove(key);
        } else {
          cache.put(key, round + 1_000);
        }
      }
      // Once with all others restarted, too, the one that was away first.
      if (round == 1) {
        grid.awaitFewerChangesThanSeconds();
        grid.stop(grid.servers().get(1));
        grid.stop(grid.servers().get(0));
        grid.server(2, true);
        grid.server(0, true);
        grid.server(1, true);
        EmbeddedGrid.await(() -> grid.servers().get(0).cluster().forServers().nodes().size() == 3);
        grid.servers().get(0).cluster().state(ClusterState.ACTIVE);
        cache = grid.servers().get(0).cache(CACHE);
      } else {
        grid.server(2, true);
      }
      grid.awaitRebalanced(CACHE);
      Map<Integer, Set<Integer>> copies = copies();
      int value = round + 1_000;
      assertThat(copies.keySet()).as("removed, round " + round).allMatch(key -> key % 2 == 1);
      assertThat(copies).hasSize(KEYS / 2);
      assertThat(copies.values()).allMatch(values -> values.equals(Set.of(value)));
      cache = grid.servers().get(0).cache(CACHE);
    }
  }

  /**
   * Issue 10611 with more removals than a partition remembers, 256 of 1,024 partitions, before and
   * while it is rebalanced.
   */
  @ParameterizedTest
  @CsvSource({"ATOMIC, true", "ATOMIC, false", "TRANSACTIONAL, true", "TRANSACTIONAL, false"})
  void removalsBeyondTheHistoryBringNothingBack(CacheAtomicityMode mode, boolean historical)
      throws IgniteCheckedException {
    Map<String, String> properties =
        Map.of(
            "IGNITE_CACHE_REMOVED_ENTRIES_TTL",
            "500",
            "IGNITE_PREFER_WAL_REBALANCE",
            Boolean.toString(historical),
            "IGNITE_PDS_WAL_REBALANCE_THRESHOLD",
            historical ? "0" : "1000000");
    properties.forEach(System::setProperty);
    try {
      removeBeyondTheHistory(mode, historical);
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  private void removeBeyondTheHistory(CacheAtomicityMode mode, boolean historical)
      throws IgniteCheckedException {
    IntStream.range(0, 3).forEach(number -> grid.server(number, true));
    Ignite first = grid.servers().get(0);
    Ignite away = grid.servers().get(2);
    first.cluster().state(ClusterState.ACTIVE);
    IgniteCache<Integer, Integer> cache = first.createCache(cache(mode));
    Affinity<Integer> affinity = first.affinity(CACHE);
    int partition = affinity.backupPartitions(away.cluster().localNode())[0];
    List<Integer> keys =
        IntStream.iterate(0, key -> key + 1)
            .filter(key -> affinity.partition(key) == partition)
            .limit(1_500)
            .boxed()
            .toList();
    keys.forEach(key -> cache.put(key, 0));
    // The history begins with a checkpoint.
    for (Ignite server : grid.servers()) {
      ((IgniteEx) server).context().cache().context().database().waitForCheckpoint("test");
    }
    grid.stop(away);
    keys.subList(0, 600).forEach(cache::remove);
    List<FaultyCommunication> suppliers =
        grid.servers().stream().map(EmbeddedGrid::communication).toList();
    suppliers.forEach(
        each -> each.affect(away.name(), Fault.HOLD, GridDhtPartitionSupplyMessage.class));
    Ignite returned = grid.server(2, true);
    EmbeddedGrid.await(
        () -> suppliers.stream().mapToInt(each -> each.affected(away.name())).sum() > 0);
    keys.subList(600, 1_200).forEach(cache::remove);
    keys.subList(1_200, 1_500).forEach(key -> cache.put(key, 1));
    // Longer than a removed entry is remembered; the write makes the partition forget.
    boolean unused = Poll.until(Duration.ofSeconds(2), () -> false);
    cache.put(keys.get(0), 1);
    cache.remove(keys.get(0));
    suppliers.forEach(each -> each.heal(away.name()));
    grid.awaitRebalanced(CACHE);
    Map<Integer, Set<Integer>> copies = copies();
    System.out.printf(
        "%s: received %d keys by historical and %d by full rebalance; %d remain of 300%n",
        mode, received(returned, "Hist"), received(returned, "Full"), copies.size());
    assertThat(received(returned, "Hist") > 0).isEqualTo(historical);
    assertThat(copies.keySet()).isEqualTo(new TreeSet<>(keys.subList(1_200, 1_500)));
    assertThat(copies.values()).allMatch(values -> values.equals(Set.of(1)));
  }

  /** The values of all copies of each key. */
  private Map<Integer, Set<Integer>> copies() {
    Map<Integer, Set<Integer>> copies = new TreeMap<>();
    for (Ignite node : grid.servers()) {
      node.<Integer, Integer>cache(CACHE)
          .localEntries(CachePeekMode.PRIMARY, CachePeekMode.BACKUP)
          .forEach(
              each ->
                  copies.computeIfAbsent(each.getKey(), k -> new TreeSet<>()).add(each.getValue()));
    }
    return copies;
  }

  private static long received(Ignite node, String kind) {
    ObjectMetric<Map<?, Long>> metric =
        ((IgniteEx) node)
            .context()
            .metric()
            .registry("cacheGroups." + CACHE)
            .findMetric("Rebalancing" + kind + "ReceivedKeys");
    return metric.value().values().stream().mapToLong(Long::longValue).sum();
  }

  /** IGNITE-627: a near cache keeps a value after the servers have changed. */
  @ParameterizedTest
  @EnumSource(names = {"ATOMIC", "TRANSACTIONAL"})
  void aNearCacheIsCurrentAfterTheServersHaveChanged(CacheAtomicityMode mode) {
    IntStream.range(0, 2).forEach(number -> grid.server(number, false));
    Ignite reader = grid.client();
    IgniteCache<Integer, Integer> near =
        reader.createCache(cache(mode), new NearCacheConfiguration<>());
    near.putAll(all(0));
    Ignite other = grid.servers().get(0);
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
}
