package io.pyrometer.ignite.writer;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A map of keys of three servers is under way. A server joins, so that keys move; the first of the
 * three answers that they have moved, and leaves; the second has not yet seen its part. Ignite
 * 2.17.0 takes the first one's answer and its leaving for two answers, and does not wait for the
 * second ({@code lab/ignite-lost-writes.md}).
 */
class LeavingServerIT {
  private static final Map<Long, Long> OLDER = map(1);
  private static final Map<Long, Long> NEWER = map(2);

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Map<Long, Long> map(long value) {
    return new TreeMap<>(LongStream.range(0, 300).boxed().collect(toMap(key -> key, k -> value)));
  }

  @Test
  void aWriterWritesAgainWhatIgniteAcknowledgesTooEarly() throws Exception {
    HeldUpdates updates = new HeldUpdates();
    updates.setName("TcpCommunicationSpi");
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
      IgniteWriter<Long, Long> writer = IgniteWriter.to(written).lanes(1).batchEntries(300).open();
      CompletableFuture<Void> confirmed = writer.writeAll(NEWER.entrySet());
      Eventually.holds("both are held", () -> updates.held(leaves) + updates.held(late) == 4);
      cluster.join();
      Eventually.holds(
          "keys have moved",
          () ->
              client.affinity("plain").primaryPartitions(server(client, 3)).length > 0
                  && client.affinity("written").primaryPartitions(server(client, 3)).length > 0);
      int before = updates.answers(leaves);
      updates.release(leaves);
      Eventually.holds("it answers", () -> updates.answers(leaves) >= before + 2);
      cluster.stop(0);
      Eventually.holds("the servers have seen it leave", () -> noneKnows(client, leaves));
      updates.release(late);

      acknowledged.get(30, TimeUnit.SECONDS);
      confirmed.get(30, TimeUnit.SECONDS);
      assertThat(plain.getAll(NEWER.keySet()))
          .as("what Ignite does; mended there, the writer needs no second call")
          .isNotEqualTo(NEWER);
      assertThat(written.getAll(NEWER.keySet())).isEqualTo(NEWER);
    }
  }

  private static IgniteCache<Long, Long> cache(Ignite client, String name) {
    return client.createCache(
        new CacheConfiguration<Long, Long>(name)
            .setBackups(1)
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
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
