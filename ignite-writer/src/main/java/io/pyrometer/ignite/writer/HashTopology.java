package io.pyrometer.ignite.writer;

import java.util.Collections;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * Partitions as a cache has them by default, all of one node and never moving: what a thin client
 * can know. Where a cache has others, lanes and batches are as right, and grouped for nothing.
 */
final class HashTopology<K> implements Topology<K> {
  private static final RendezvousAffinityFunction FUNCTION = new RendezvousAffinityFunction();
  private static final Placement PLACEMENT =
      Placement.ofPrimaries(Collections.nCopies(FUNCTION.partitions(), "cluster"));

  @Override
  public int partitions() {
    return FUNCTION.partitions();
  }

  @Override
  public int partition(K key) {
    return FUNCTION.partition(key);
  }

  @Override
  public Placement placement() {
    return PLACEMENT;
  }
}
