package io.pyrometer.ignite.writer;

import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/** Losses that no writer can prevent, in caches with FULL_SYNC and one backup. */
final class IgniteLosses {
  private static final int KEYS = 20_000;
  private static final int PARTITIONS = 1_024;
  private static final long DELAY_MILLIS = 30_000;

  /** Takes a format and its arguments. */
  interface Log {
    void say(String format, Object... arguments);
  }

  private final TestCluster cluster;
  private final Log log;

  IgniteLosses(TestCluster cluster, Log log) {
    this.cluster = cluster;
    this.log = log;
  }

  /**
   * Returns whether each partition has all its copies, and none is on its way. A server that has
   * just joined has no copies, nor some on their way; it is the primary node of none then.
   */
  static boolean isRebalanced(Ignite thick, String cache, int servers) {
    Affinity<Object> affinity = thick.affinity(cache);
    Collection<ServerCopies> copies = ServerCopies.of(thick, cache);
    return copies.size() == servers
        && copies.stream().allMatch(of -> of.moving == 0)
        && copies.stream().mapToInt(of -> of.complete.cardinality()).sum()
            >= 2 * affinity.partitions()
        && IntStream.range(0, affinity.partitions())
                .mapToObj(affinity::mapPartitionToNode)
                .filter(Objects::nonNull)
                .map(ClusterNode::id)
                .distinct()
                .count()
            == servers;
  }

  private static CacheConfiguration<Long, Object> settings(String name) {
    return new CacheConfiguration<Long, Object>(name)
        .setBackups(1)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
  }

  /**
   * Losses by second kills.
   *
   * @param singleCopies partitions whose only complete copy was on the server killed second
   * @param lostInSingleCopies keys lost in these
   * @param lostElsewhere keys lost in others
   */
  record Overlap(long singleCopies, long lostInSingleCopies, long lostElsewhere) {}

  /**
   * Kills a second server while the copies that the first kill made necessary are still on their
   * way: rebalancing is delayed until then.
   */
  @SuppressWarnings("deprecation") // the only way to have copies incomplete for a known time
  Overlap overlaps(int times) throws Exception {
    Overlap total = new Overlap(0, 0, 0);
    try (Ignite thick = cluster.thick("client-overlaps", new TcpDiscoverySpi())) {
      IgniteCache<Long, Object> cache =
          thick.getOrCreateCache(
              settings("overlaps")
                  .setRebalanceMode(CacheRebalanceMode.ASYNC)
                  .setRebalanceDelay(DELAY_MILLIS));
      try (IgniteWriter<Long, Object> writer = IgniteWriter.to(cache).open()) {
        for (int time = 0; time < times; time++) {
          Overlap now = overlap(time, thick, cache, writer);
          total =
              new Overlap(
                  total.singleCopies + now.singleCopies,
                  total.lostInSingleCopies + now.lostInSingleCopies,
                  total.lostElsewhere + now.lostElsewhere);
          log.say("  overlaps %d: %s of %d partitions", time + 1, now, PARTITIONS);
          if (time + 1 < times) {
            cluster.revive();
            Eventually.holds("rebalanced", () -> isRebalanced(thick, "overlaps", cluster.nodes()));
          }
        }
      }
      cache.destroy();
    }
    return total;
  }

  private Overlap overlap(
      int time, Ignite thick, IgniteCache<Long, Object> cache, IgniteWriter<Long, Object> writer)
      throws Exception {
    int first = time % cluster.nodes();
    int second = (time + 1) % cluster.nodes();
    cache.clear(); // of what the time before has lost
    VersionedWrites writes =
        new VersionedWrites(KEYS, 20, 10_000); // or else all keys would be written
    Thread writing = writes.start(writer);
    writes.awaitWritten(20_000);
    writer.flush();
    cluster.kill(first);
    writes.awaitWritten(2_000);
    writes.stop();
    writing.join();
    writer.flush();
    BitSet single = new BitSet();
    BitSet elsewhere = new BitSet();
    for (ServerCopies of : ServerCopies.of(thick, "overlaps")) {
      (of.node.equals("server-" + second) ? single : elsewhere).or(of.complete);
    }
    single.andNot(elsewhere);
    cluster.kill(second);
    Affinity<Long> affinity = thick.affinity("overlaps");
    Map<Long, Object> there = writes.read(cache);
    long alone = writes.outcome(there, key -> single.get(affinity.partition(key))).lost();
    long others = writes.outcome(there, key -> !single.get(affinity.partition(key))).lost();
    return new Overlap(single.cardinality(), alone, others);
  }
}
