package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.events.RequestEventListener;
import org.apache.ignite.client.events.RequestStartEvent;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer against a real cluster of three that stays whole. */
class ClusterIT extends OnSharedCluster {
  private static final int WRITES = 60_000;
  private static final int REPEATED = 3_000;
  private static final int PARTITIONS = 96; // not a power of two, as the default is
  private static final Duration CONNECTED = Duration.ofSeconds(10);

  private static <K> IgniteCache<K, Object> cache(String name) {
    return thick.getOrCreateCache(TestCluster.<K, Object>cache(name).setBackups(1));
  }

  private static void writeVersions(IgniteWriter<Long, Object> writer) {
    for (long version = 0; version < WRITES; version++) {
      long key = version % REPEATED;
      writer.write(key, new StockOrder(version));
      if (key % 10 == 0) {
        writer.remove(key);
      }
    }
  }

  private static void checkVersions(IgniteCache<Long, Object> cache) {
    assertThat(cache.size()).isEqualTo(REPEATED - REPEATED / 10);
    Map<Long, Object> there =
        cache.getAll(LongStream.range(0, REPEATED).boxed().collect(Collectors.toSet()));
    for (long key = 0; key < REPEATED; key++) {
      Object value = there.get(key);
      if (key % 10 == 0) {
        assertThat(value).as("key %s was removed last", key).isNull();
      } else {
        assertThat(((StockOrder) value).version()).isEqualTo(WRITES - REPEATED + key);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"thick", "thin"})
  void theLastOfRepeatedWritesAndRemovalsRemains(String client) {
    IgniteCache<Long, Object> cache = cache(client);
    try (IgniteWriter<Long, Object> writer =
        OnSharedCluster.<Long, Object>to(client.equals("thin"), client).batchEntries(500).open()) {
      writeVersions(writer);
      writer.flush();
      checkVersions(cache);
      WriterStats stats = writer.stats();
      assertThat(stats.finishedEntries() + stats.mergedWrites()).isEqualTo(WRITES + WRITES / 10);
    }
  }

  @Test
  void aThinClientsBatchesGoStraightToThePrimaryNodeOfTheirKeys() {
    thick.getOrCreateCache(
        new CacheConfiguration<Long, Object>("straight")
            .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS)));
    Affinity<Long> affinity = thick.affinity("straight");
    UUID node = affinity.mapPartitionToNode(0).id();
    Map<String, Set<UUID>> reached = new ConcurrentHashMap<>();
    RequestEventListener listener =
        new RequestEventListener() {
          @Override
          public void onRequestStart(RequestStartEvent event) {
            reached
                .computeIfAbsent(event.operationName(), name -> ConcurrentHashMap.newKeySet())
                .add(event.connectionDescription().serverNodeId());
          }
        };
    try (IgniteClient thin = cluster.thin(listener)) {
      ThinInternals channels = ThinInternals.of(thin.cache("straight"));
      assertThat(channels.primaries())
          .isEqualTo(
              IntStream.range(0, PARTITIONS)
                  .mapToObj(affinity::mapPartitionToNode)
                  .map(ClusterNode::id)
                  .toList());
      connect(thin.cache("straight"), affinity, node, reached);
      try (IgniteWriter<Long, Object> writer =
          IgniteWriter.to(thin.<Long, Object>cache("straight")).batchEntries(50).open()) {
        LongStream.range(0, 20_000)
            .filter(key -> affinity.mapKeyToNode(key).id().equals(node))
            .forEach(
                key -> {
                  if (key % 2 == 0) {
                    writer.write(key, new StockOrder(key));
                  } else {
                    writer.remove(key);
                  }
                });
      }
    }
    assertThat(reached.get("CACHE_PUT_ALL")).containsExactly(node);
    assertThat(reached.get("CACHE_REMOVE_KEYS")).containsExactly(node);
    assertThat(thick.cache("straight").size()).isPositive();
  }

  /** A client connects to nodes in the background; until then its calls go to any of them. */
  private static void connect(
      ClientCache<Long, Object> cache,
      Affinity<Long> affinity,
      UUID node,
      Map<String, Set<UUID>> reached) {
    long key =
        LongStream.iterate(20_000, k -> k + 1)
            .filter(k -> affinity.mapKeyToNode(k).id().equals(node))
            .findFirst()
            .orElseThrow();
    long end = System.nanoTime() + CONNECTED.toNanos();
    do {
      cache.put(key, new StockOrder(key));
    } while (!reached.get("CACHE_PUT").contains(node) && System.nanoTime() < end);
    assertThat(reached.get("CACHE_PUT")).contains(node);
  }

  @Test
  void transactionalCachesAreWrittenByTwoWritersWithoutADeadlock() throws Exception {
    IgniteCache<Long, Object> cache =
        thick.getOrCreateCache(
            TestCluster.<Long, Object>cache("transactional")
                .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL)
                .setBackups(1));
    Thread upwards = new Thread(() -> writeAll(cache, 1));
    Thread downwards = new Thread(() -> writeAll(cache, -1));
    upwards.start();
    downwards.start();
    upwards.join(60_000);
    downwards.join(60_000);
    assertThat(upwards.isAlive() || downwards.isAlive()).isFalse();
    assertThat(cache.size()).isEqualTo(1_000);
  }

  private static void writeAll(IgniteCache<Long, Object> cache, int step) {
    try (IgniteWriter<Long, Object> writer =
        IgniteWriter.to(cache).lanes(1).batchEntries(200).open()) {
      for (int i = 0; i < 3_000; i++) {
        writer.write((long) Math.floorMod(i * step, 1_000), "v" + i);
      }
    }
  }

  @Test
  void binaryObjectsStayBinary() {
    IgniteCache<Long, Object> plain = cache("binary");
    IgniteCache<Long, BinaryObject> cache = plain.withKeepBinary();
    try (IgniteWriter<Long, BinaryObject> writer =
        IgniteWriter.to(cache).maxPendingBytes(1 << 20).open()) {
      for (long key = 0; key < 1_000; key++) {
        writer.write(key, thick.binary().builder("Flat").setField("version", key).build());
      }
    }
    assertThat(cache.get(77L).<Long>field("version")).isEqualTo(77L);
    assertThat(cache.size()).isEqualTo(1_000);
  }

  @Test
  void keysOfTheApplicationsOwnClassGoToTheirPrimaryNode() {
    IgniteCache<UserKey, Object> cache = cache("user-keys");
    try (IgniteWriter<UserKey, Object> writer = IgniteWriter.to(cache).open()) {
      for (int i = 0; i < 5_000; i++) {
        writer.write(new UserKey(i % 7, i % 1_000), i);
      }
    }
    assertThat(cache.get(new UserKey(4_999 % 7, 999))).isEqualTo(4_999);
    ThickPort topology = new ThickPort(cache, new Settings());
    assertThat(topology.partition(new UserKey(3, 1)))
        .isEqualTo(topology.partition(new UserKey(3, 2)))
        .isEqualTo(thick.affinity("user-keys").partition(new UserKey(3, 9)));
    for (Object key : new Object[] {1L, 77, "text", new java.util.UUID(3, 4), 2.5, 'c'}) {
      assertThat(topology.partition(key)).isEqualTo(thick.affinity("user-keys").partition(key));
    }
    assertThat(new HashSet<>(topology.primaries())).hasSize(3);
  }

  @Test
  void aNodeThatStandsStillForTwoSecondsDelaysWritesAndLosesNone() throws Exception {
    IgniteCache<Long, Object> cache = cache("slow-node");
    VersionedWrites writes = new VersionedWrites(5_000);
    try (IgniteWriter<Long, Object> writer =
        IgniteWriter.to(cache).maxPendingBytes(8 << 20).open()) {
      Thread writing = writes.start(writer);
      writes.awaitWritten(20_000);
      cluster.signal(1, "STOP");
      Thread.sleep(2_000);
      assertThat(writer.stats().pendingBytes()).isBetween(1L, 9L << 20);
      cluster.signal(1, "CONT");
      writes.awaitWritten(20_000);
      writes.stop(writing);
      writer.flush();
    }
    writes.checkAllThere(cache);
  }

  /**
   * Servers are asked once more ({@link LeavingServerIT}): after removals too, of values of any
   * class, and without a key or an event that others could see.
   */
  @Test
  void theQuestionToAServerChangesNothing() throws Exception {
    IgniteCache<Long, Object> cache = thick.createCache(fullSync("unchanged"));
    Queue<Object> events = new ConcurrentLinkedQueue<>();
    ContinuousQuery<Long, Object> query = new ContinuousQuery<>();
    query.setLocalListener(some -> some.forEach(event -> events.add(event.getKey())));
    try (QueryCursor<?> cursor = cache.query(query);
        IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).lanes(1).open()) {
      for (long key = 0; key < 30; key++) {
        writer.write(key, List.of(key));
        writer.write(100 + key, new StockOrder(key));
        writer.write(200 + key, new Object[] {key});
      }
      writer.flush();
      Eventually.holds("all events", () -> events.size() >= 90);
      for (long key = 0; key < 30; key++) {
        writer.remove(key);
      }
      writer.flush();
      Eventually.holds("all events", () -> events.size() >= 120);
      assertThat(cursor).isNotNull();
      assertThat(events).hasSize(120);
      assertThat(cache.size()).isEqualTo(60);
    }
  }
}
