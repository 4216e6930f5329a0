package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * Faults in numbers, while a writer writes versions over repeated keys with one backup: server JVMs
 * killed, servers stopped gracefully, a thick client cut off until it has left the cluster, thin
 * clients' connections broken, and a soak that watches the heap. Prints lost acknowledged writes
 * and stale keys of each.
 */
final class FaultCampaign {
  private static final int KEYS = 20_000;
  private static final int SERVERS = 3;

  private FaultCampaign() {}

  /**
   * Runs what the options ask for, one after the other, each on a cluster of its own.
   *
   * @param options like {@code kills=5}, {@code stops=5}, {@code reconnects=2}, {@code relays=10},
   *     {@code soak=SECONDS}, {@code mode=PRIMARY_SYNC}
   */
  static Map<String, VersionedWrites.Outcome> run(List<String> options) throws Exception {
    Map<String, String> values = new LinkedHashMap<>();
    for (String option : options) {
      values.put(
          option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
    }
    String mode = Optional.ofNullable(values.remove("mode")).orElse("FULL_SYNC");
    Map<String, VersionedWrites.Outcome> outcomes = new LinkedHashMap<>();
    for (Map.Entry<String, String> fault : values.entrySet()) {
      long start = System.nanoTime();
      VersionedWrites.Outcome outcome =
          run(
              fault.getKey(),
              Integer.parseInt(fault.getValue()),
              CacheWriteSynchronizationMode.valueOf(mode));
      System.out.printf(
          "%s in %s: %s; %d s%n",
          fault, mode, outcome, (System.nanoTime() - start) / 1_000_000_000);
      outcomes.put(fault.getKey(), outcome);
    }
    return outcomes;
  }

  static VersionedWrites.Outcome run(String fault, int times, CacheWriteSynchronizationMode mode)
      throws Exception {
    CutDiscovery discovery = new CutDiscovery();
    try (TestCluster cluster = TestCluster.start(SERVERS);
        Ignite thick = cluster.thick("client", discovery)) {
      IgniteCache<Long, Object> cache =
          thick.createCache(
              new CacheConfiguration<Long, Object>("versions")
                  .setBackups(1)
                  .setRebalanceMode(CacheRebalanceMode.SYNC)
                  .setWriteSynchronizationMode(mode));
      return switch (fault) {
        case "kills" -> servers(cluster, thick, cache, times, cluster::kill);
        case "stops" -> servers(cluster, thick, cache, times, cluster::stop);
        case "reconnects" -> reconnects(discovery, thick, cache, times);
        case "relays" -> relays(cluster, cache, times);
        case "soak" -> soak(cache, times);
        default -> throw new IllegalArgumentException("no such fault: " + fault);
      };
    }
  }

  private interface End {
    void of(int node) throws IOException, InterruptedException;
  }

  private static VersionedWrites.Outcome servers(
      TestCluster cluster, Ignite thick, IgniteCache<Long, Object> cache, int times, End end)
      throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
      Thread writing = writes.start(writer);
      for (int time = 0; time < times; time++) {
        writes.awaitWritten(20_000);
        int node = time % SERVERS;
        end.of(node);
        writes.awaitWritten(20_000);
        cluster.restart(node);
        Eventually.holds("rebalanced", () -> primaries(thick) == SERVERS);
      }
      writes.awaitWritten(20_000);
      writes.stop(writing);
      writer.flush();
      System.out.println("  " + writer.stats());
    }
    return writes.outcome(cache);
  }

  /** A node has primary partitions only after all copies are where they belong. */
  private static long primaries(Ignite thick) {
    return IntStream.range(0, 1_024)
        .mapToObj(p -> thick.<Long>affinity("versions").mapPartitionToNode(p))
        .map(node -> node == null ? new UUID(0, 0) : node.id())
        .distinct()
        .count();
  }

  private static VersionedWrites.Outcome reconnects(
      CutDiscovery discovery, Ignite thick, IgniteCache<Long, Object> cache, int times)
      throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
      Thread writing = writes.start(writer);
      for (int time = 0; time < times; time++) {
        writes.awaitWritten(20_000);
        UUID before = thick.cluster().localNode().id();
        long start = System.nanoTime();
        discovery.cut();
        Thread.sleep(9_000);
        discovery.heal();
        Eventually.holds("joined again", () -> hasJoinedAgain(thick, before));
        System.out.printf("  away for %d ms%n", (System.nanoTime() - start) / 1_000_000);
        writes.awaitWritten(200_000);
      }
      writes.stop(writing);
      writer.flush();
      System.out.println("  " + writer.stats());
    }
    return writes.outcome(cache);
  }

  /** A client that has left the cluster has a new id when it has joined again. */
  private static boolean hasJoinedAgain(Ignite thick, UUID before) {
    try {
      return !thick.cluster().localNode().id().equals(before);
    } catch (RuntimeException disconnected) {
      return false;
    }
  }

  private static VersionedWrites.Outcome relays(
      TestCluster cluster, IgniteCache<Long, Object> cache, int times) throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    List<Relay> relays = new ArrayList<>();
    for (int node = 0; node < SERVERS; node++) {
      relays.add(new Relay(cluster.thinPort(node)));
    }
    String[] addresses =
        relays.stream().map(relay -> "127.0.0.1:" + relay.port()).toArray(String[]::new);
    try (IgniteClient thin =
            Ignition.startClient(
                TestCluster.thinConfiguration()
                    .setAddresses(addresses)
                    .setPartitionAwarenessEnabled(false)
                    .setClusterDiscoveryEnabled(false));
        IgniteWriter<Long, Object> writer =
            IgniteWriter.to(thin.<Long, Object>cache("versions")).open()) {
      Thread writing = writes.start(writer);
      long doubted = 0;
      for (int time = 0; time < times; time++) {
        writes.awaitWritten(10_000);
        for (Relay relay : relays) {
          relay.breakClients(false);
        }
        writes.awaitWritten(10_000);
        Thread.sleep(500); // by then the servers have worked off what they had received
        doubted += writer.keysInDoubt().size();
        writer.releaseKeysInDoubt();
      }
      writes.awaitWritten(10_000);
      writes.stop(writing);
      writer.flushAsync().handle((done, error) -> done).join();
      System.out.println("  " + doubted + " keys in doubt, " + writer.stats());
    } catch (WriteFailedException expected) {
      System.out.println("  " + expected.failedCount() + " failed since the last flush");
    } finally {
      for (Relay relay : relays) {
        relay.close();
      }
    }
    return writes.outcome(cache);
  }

  private static VersionedWrites.Outcome soak(IgniteCache<Long, Object> cache, int seconds)
      throws Exception {
    VersionedWrites writes = new VersionedWrites(KEYS);
    try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
      Thread writing = writes.start(writer);
      long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      for (int sample = 0; System.nanoTime() < end; sample++) {
        Thread.sleep(Math.max(1, seconds * 1_000L / 10));
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.printf(
            "  sample %d: %d MB live, %d threads, %s%n",
            sample,
            (runtime.totalMemory() - runtime.freeMemory()) >> 20,
            Thread.activeCount(),
            writer.stats());
      }
      writes.stop(writing);
      writer.flush();
    }
    return writes.outcome(cache);
  }
}
