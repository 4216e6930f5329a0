package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.client.IgniteClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer against a real cluster of three that stays whole. */
class ClusterIT {
  private static final int WRITES = 60_000;
  private static final int REPEATED = 3_000;

  private static TestCluster cluster;
  private static Ignite thick;
  private static IgniteClient thin;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    thick = cluster.thick();
    thin = cluster.thin();
  }

  @AfterAll
  static void stop() {
    thin.close();
    thick.close();
  }

  private static <K> IgniteCache<K, Object> cache(String name) {
    return thick.getOrCreateCache(TestCluster.<K, Object>cache(name).setBackups(1));
  }

  private static void writeVersions(IgniteWriter<Long, Object> writer) {
    for (long version = 0; version < WRITES; version++) {
      long key = version % REPEATED;
      if (key % 10 == 0) {
        writer.write(key, new StockOrder(version));
        writer.remove(key);
      } else {
        writer.write(key, new StockOrder(version));
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
        TestCluster.<Long, Object>to(client.equals("thin"), thick, thin, client)
            .batchEntries(500)
            .open()) {
      writeVersions(writer);
      writer.flush();
      checkVersions(cache);
      WriterStats stats = writer.stats();
      assertThat(stats.finishedEntries() + stats.mergedWrites()).isEqualTo(WRITES + WRITES / 10);
    }
  }

  @Test
  void aThinClientsBatchesGoStraightToThePrimaryNodeOfTheirKeys() {
    StraightBatches.check(cluster, thick);
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
    IgniteCache<Long, Object> cache =
        thick.createCache(
            TestCluster.<Long, Object>cache("unchanged")
                .setBackups(1)
                .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
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
