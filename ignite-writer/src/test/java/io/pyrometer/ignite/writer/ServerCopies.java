package io.pyrometer.ignite.writer;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.cache.IgniteInternalCache;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtLocalPartition;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtPartitionState;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;

/** Entries of a cache on one server, as the server reports them. */
final class ServerCopies implements Serializable { // Ignite 2 sends no records
  private static final long serialVersionUID = 1L;

  /** The number of partitions of which it has a complete copy. */
  private final int complete;

  /** The number of copies that are on their way to it. */
  private final int moving;

  private ServerCopies(int complete, int moving) {
    this.complete = complete;
    this.moving = moving;
  }

  /** Asks every server. */
  private static Collection<ServerCopies> of(Ignite client, String cache) {
    return client.compute(client.cluster().forServers()).broadcast(new CopiesOf(cache));
  }

  /**
   * Returns whether each partition has all its copies, and none is on its way. A server that has
   * just joined has no copies, nor some on their way; it is the primary node of none then.
   */
  static boolean areComplete(Ignite client, String cache, int servers) {
    Affinity<Object> affinity = client.affinity(cache);
    Collection<ServerCopies> copies = of(client, cache);
    return copies.size() == servers
        && copies.stream().allMatch(of -> of.moving == 0)
        && copies.stream().mapToInt(of -> of.complete).sum() >= 2 * affinity.partitions()
        && IntStream.range(0, affinity.partitions())
                .mapToObj(affinity::mapPartitionToNode)
                .filter(Objects::nonNull)
                .map(ClusterNode::id)
                .distinct()
                .count()
            == servers;
  }

  private static final class CopiesOf implements IgniteCallable<ServerCopies> {
    private static final long serialVersionUID = 1L;

    private final String cache;

    @IgniteInstanceResource private transient Ignite ignite;

    CopiesOf(String cache) {
      this.cache = cache;
    }

    @Override
    public ServerCopies call() {
      int complete = 0;
      int moving = 0;
      IgniteInternalCache<?, ?> here = ((IgniteEx) ignite).cachex(cache);
      List<GridDhtLocalPartition> partitions =
          here == null ? List.of() : here.context().topology().localPartitions();
      for (GridDhtLocalPartition partition : partitions) {
        if (partition.state() == GridDhtPartitionState.OWNING) {
          complete++;
        } else if (partition.state() == GridDhtPartitionState.MOVING) {
          moving++;
        }
      }
      return new ServerCopies(complete, moving);
    }
  }
}
