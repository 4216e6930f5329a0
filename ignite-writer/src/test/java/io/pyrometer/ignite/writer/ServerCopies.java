package io.pyrometer.ignite.writer;

import java.io.Serializable;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.apache.ignite.Ignite;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.cache.IgniteInternalCache;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtLocalPartition;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtPartitionState;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;

/** Entries of a cache on one server, as the server reports them. */
final class ServerCopies implements Serializable { // Ignite 2 sends no records
  private static final long serialVersionUID = 1L;

  /** The server's name. */
  final String node;

  /** The partitions of which it has a complete copy. */
  final BitSet complete;

  /** The number of copies that are on their way to it. */
  final int moving;

  private ServerCopies(String node, BitSet complete, int moving) {
    this.node = node;
    this.complete = complete;
    this.moving = moving;
  }

  /** Asks every server. */
  static Collection<ServerCopies> of(Ignite client, String cache) {
    return client.compute(client.cluster().forServers()).broadcast(new CopiesOf(cache));
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
      BitSet complete = new BitSet();
      int moving = 0;
      IgniteInternalCache<?, ?> here = ((IgniteEx) ignite).cachex(cache);
      List<GridDhtLocalPartition> partitions =
          here == null ? List.of() : here.context().topology().localPartitions();
      for (GridDhtLocalPartition partition : partitions) {
        if (partition.state() == GridDhtPartitionState.OWNING) {
          complete.set(partition.id());
        } else if (partition.state() == GridDhtPartitionState.MOVING) {
          moving++;
        }
      }
      return new ServerCopies(ignite.name(), complete, moving);
    }
  }
}
