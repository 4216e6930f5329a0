package io.pyrometer.ignite.writer;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.processors.cache.CachePartialUpdateCheckedException;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Servers that leave, or fail keys, during a call that Ignite acknowledges nevertheless. The first
 * test harms no server, and the last one adds one.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeavingServerIT {
  private static final Map<Long, Long> OLDER = map(1);
  private static final Map<Long, Long> NEWER = map(2);

  private TestCluster cluster;

  private final HeldUpdates updates = held();

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.shared();
  }

  private static HeldUpdates held() {
    HeldUpdates updates = new HeldUpdates();
    updates.setName("TcpCommunicationSpi"); // as servers call theirs
    return updates;
  }

  private static Map<Long, Long> map(long value) {
    return new TreeMap<>(LongStream.range(0, 300).boxed().collect(toMap(key -> key, k -> value)));
  }

  /**
   * A map of keys of three servers is under way. A server joins, so that keys move; the first of
   * the three answers that they have moved, and leaves; the second has not yet seen its part.
   * Ignite 2.17.0 takes the first one's answer and its leaving for two answers, and does not wait
   * for the second ({@code lab/ignite-lost-writes.md}).
   */
  @Test
  void aWriterWritesAgainWhatIgniteAcknowledgesTooEarly() throws Exception {
    try (Ignite client = cluster.thick("client", new TcpDiscoverySpi(), updates)) {
      IgniteCache<Long, Long> plain = cache(client, "plain");
      IgniteCache<Long, Long> written = cache(client, "written");
      plain.putAll(OLDER);
      written.putAll(OLDER);
      ClusterNode leaves = server(client, 0);
      ClusterNode late = server(client, 1);
      updates.hold(leaves);
      updates.hold(late);

      IgniteFuture<Void> acknowledged = plain.putAllAsync(NEWER);
      IgniteWriter<Long, Long> writer = inOneBatch(written);
      CompletableFuture<Void> confirmed = WriterFixture.writeAll(writer, NEWER.entrySet());
      CompletableFuture<Void> flushed = writer.flushAsync();
      Eventually.holds("both are held", () -> updates.held(leaves) + updates.held(late) == 4);
      cluster.join();
      Eventually.holds("it is seen", () -> client.cluster().forServers().nodes().size() == 4);
      ClusterNode joined = server(client, 3);
      Eventually.holds(
          "keys have moved",
          () ->
              client.affinity("plain").primaryPartitions(joined).length > 0
                  && client.affinity("written").primaryPartitions(joined).length > 0);
      int before = updates.answers(leaves);
      updates.release(leaves);
      Eventually.holds("it answers", () -> updates.answers(leaves) >= before + 2);
      cluster.stop(0);
      Eventually.holds("the servers have seen it leave", () -> noneKnows(client, leaves));
      updates.release(late);

      acknowledged.get(30, TimeUnit.SECONDS);
      confirmed.get(30, TimeUnit.SECONDS);
      flushed.get(30, TimeUnit.SECONDS);
      assertThat(plain.getAll(NEWER.keySet()))
          .as("what Ignite does; mended there, the writer needs no second call")
          .isNotEqualTo(NEWER);
      assertThat(written.getAll(NEWER.keySet())).isEqualTo(NEWER);
    }
  }

  /** A writer that sends the keys of a server together when it is flushed, and not before. */
  private static IgniteWriter<Long, Long> inOneBatch(IgniteCache<Long, Long> cache) {
    return IgniteWriter.to(cache).lanes(1).linger(Duration.ofDays(1)).open();
  }

  /** A stopping server fails keys, and Ignite may acknowledge them: so their server is asked. */
  @Test
  @Order(2)
  void aBatchIsAcknowledgedWhenItsServersHaveAnsweredOnceMoreAndWrittenAgainIfOneHasLeft()
      throws Exception {
    try (Ignite client = cluster.thick("client", new TcpDiscoverySpi(), updates);
        Ignite other = cluster.thick("other", new TcpDiscoverySpi(), held())) {
      IgniteCache<Long, Long> written = cache(client, "confirmed");
      ClusterNode leaves = server(client, 0);
      Map<Long, Long> failed = ofPrimary(client, "confirmed", leaves, OLDER);
      updates.holdConditional(leaves);
      IgniteWriter<Long, Long> writer = inOneBatch(written);
      CompletableFuture<Void> confirmed = WriterFixture.writeAll(writer, NEWER.entrySet());
      CompletableFuture<Void> flushed = writer.flushAsync();
      Eventually.holds("its server is asked", () -> updates.held(leaves) == 1);
      other.<Long, Long>cache("confirmed").putAll(failed); // as if it had refused them
      assertThat(confirmed).isNotDone();
      cluster.stop(0);
      confirmed.get(60, TimeUnit.SECONDS);
      flushed.get(60, TimeUnit.SECONDS);
      assertThat(written.getAll(NEWER.keySet())).isEqualTo(NEWER);
      writer.close();
    }
  }

  @Test
  @Order(1)
  void keysThatAPartialFailureDoesNotNameAreConfirmedToo() throws Exception {
    try (Ignite client = cluster.thick("client", new TcpDiscoverySpi(), updates)) {
      IgniteCache<Long, Long> cache = cache(client, "partial");
      ClusterNode primary = server(client, 0);
      Map<Long, Long> map = ofPrimary(client, "partial", primary, NEWER);
      long refused = map.keySet().iterator().next();
      updates.holdConditional(primary);
      IgniteWriter<Long, Long> writer =
          IgniteWriter.to(refusing(cache, refused)).lanes(1).linger(Duration.ofDays(1)).open();
      CompletableFuture<Void> bad = writer.write(refused, 1L);
      map.remove(refused);
      CompletableFuture<Void> good = WriterFixture.writeAll(writer, map.entrySet());
      CompletableFuture<Void> flush = writer.flushAsync();
      Eventually.holds("its server is asked", () -> updates.held(primary) == 1);
      assertThat(good).isNotDone();
      updates.release(primary);
      good.get(60, TimeUnit.SECONDS);
      assertThatThrownBy(() -> bad.get(60, TimeUnit.SECONDS)).hasStackTraceContaining("refused");
      assertThatThrownBy(() -> flush.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(WriteFailedException.class);
      assertThat(cache.size()).isEqualTo(map.size());
      writer.close();
    }
  }

  /** A cache that writes all keys but one, and names that. */
  @SuppressWarnings("unchecked")
  private static IgniteCache<Long, Long> refusing(IgniteCache<Long, Long> cache, long refused) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (!method.getName().equals("putAll")) {
            return method.invoke(cache, arguments);
          }
          Map<Long, Long> others = new TreeMap<>((Map<Long, Long>) arguments[0]);
          others.remove(refused);
          cache.putAll(others);
          CachePartialUpdateCheckedException named = new CachePartialUpdateCheckedException("some");
          named.add(List.of(refused), new IllegalStateException("refused"));
          throw new CachePartialUpdateException(named);
        };
    return (IgniteCache<Long, Long>)
        Proxy.newProxyInstance(
            LeavingServerIT.class.getClassLoader(), new Class<?>[] {IgniteCache.class}, handler);
  }

  private static TreeMap<Long, Long> ofPrimary(
      Ignite client, String cache, ClusterNode primary, Map<Long, Long> map) {
    TreeMap<Long, Long> some = new TreeMap<>(map);
    some.keySet().removeIf(key -> !client.<Long>affinity(cache).isPrimary(primary, key));
    return some;
  }

  private static IgniteCache<Long, Long> cache(Ignite client, String name) {
    return client.createCache(OnSharedCluster.<Long, Long>fullSync(name));
  }

  private static ClusterNode server(Ignite client, int number) {
    return client.cluster().forServers().nodes().stream()
        .filter(
            node -> ("server-" + number).equals(node.attribute("org.apache.ignite.ignite.name")))
        .findAny()
        .orElseThrow();
  }

  private static boolean noneKnows(Ignite client, ClusterNode left) {
    Collection<List<String>> primaries =
        client
            .compute(client.cluster().forServers())
            .broadcast(new PrimariesOf(List.of("plain", "written")));
    return primaries.size() == 3
        && primaries.stream().noneMatch(ids -> ids.contains(left.id().toString()));
  }

  /** The servers that a server takes for primaries of keys. */
  private static final class PrimariesOf implements IgniteCallable<List<String>> {
    private static final long serialVersionUID = 1L;

    private final List<String> caches;

    @IgniteInstanceResource private transient Ignite ignite;

    PrimariesOf(List<String> caches) {
      this.caches = caches;
    }

    @Override
    public List<String> call() {
      return caches.stream()
          .flatMap(
              cache ->
                  ignite.<Long>affinity(cache).mapKeysToNodes(NEWER.keySet()).keySet().stream())
          .map(node -> node.id().toString())
          .distinct()
          .toList();
    }
  }
}
