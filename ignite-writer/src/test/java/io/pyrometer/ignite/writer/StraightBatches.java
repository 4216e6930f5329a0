package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.events.RequestEventListener;
import org.apache.ignite.client.events.RequestStartEvent;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;

/** Where a thin client's batches go, as Ignite's own events of its requests tell. */
final class StraightBatches {
  private static final int PARTITIONS = 96; // not a power of two, as the default is
  private static final Duration CONNECTED = Duration.ofSeconds(10);

  private StraightBatches() {}

  static void check(TestCluster cluster, Ignite thick) {
    thick.getOrCreateCache(
        new CacheConfiguration<Long, Object>("straight")
            .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS)));
    Affinity<Long> affinity = thick.affinity("straight");
    UUID node = affinity.mapPartitionToNode(0).id();
    Queue<UUID> puts = new ConcurrentLinkedQueue<>();
    Queue<UUID> removals = new ConcurrentLinkedQueue<>();
    Queue<UUID> singles = new ConcurrentLinkedQueue<>();
    RequestEventListener listener =
        new RequestEventListener() {
          @Override
          public void onRequestStart(RequestStartEvent event) {
            UUID to = event.connectionDescription().serverNodeId();
            if (event.operationName().equals("CACHE_PUT_ALL")) {
              puts.add(to);
            } else if (event.operationName().equals("CACHE_REMOVE_KEYS")) {
              removals.add(to);
            } else if (event.operationName().equals("CACHE_PUT")) {
              singles.add(to);
            }
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
      connect(thin.cache("straight"), affinity, node, singles);
      try (IgniteWriter<Long, Object> writer =
          IgniteWriter.to(thin.<Long, Object>cache("straight")).batchEntries(50).open()) {
        LongStream.range(0, 20_000)
            .filter(key -> affinity.mapKeyToNode(key).id().equals(node))
            .forEach(key -> write(writer, key));
      }
    }
    assertThat(puts).hasSizeGreaterThan(20);
    assertThat(removals).hasSizeGreaterThan(20);
    Set<UUID> reached = new HashSet<>(puts);
    reached.addAll(removals);
    assertThat(reached).containsExactly(node);
    assertThat(thick.cache("straight").size()).isPositive();
  }

  /** A client connects to nodes in the background; until then its calls go to any of them. */
  private static void connect(
      ClientCache<Long, Object> cache, Affinity<Long> affinity, UUID node, Queue<UUID> calls) {
    long key =
        LongStream.iterate(20_000, k -> k + 1)
            .filter(k -> affinity.mapKeyToNode(k).id().equals(node))
            .findFirst()
            .orElseThrow();
    long end = System.nanoTime() + CONNECTED.toNanos();
    while (!calls.contains(node) && System.nanoTime() < end) {
      cache.put(key, new StockOrder(key));
    }
    assertThat(calls).contains(node);
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private static void write(IgniteWriter<Long, Object> writer, long key) {
    if (key % 2 == 0) {
      writer.write(key, new StockOrder(key));
    } else {
      writer.remove(key);
    }
  }
}
