package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * Partitions as a cache has them unless it is given an affinity function or affinity keys, on the
 * primary nodes that a partition-aware thin client knows. A client that is not aware of partitions
 * knows none: there all are of one node and never move. Where a cache has other partitions, lanes
 * and batches are as right, and grouped for nothing.
 */
final class HashTopology {
  private final Supplier<Optional<Placement>> known;
  private final RendezvousAffinityFunction function;
  private volatile Placement last;

  /**
   * @param known where the primary node of each partition is, as far as known now
   */
  HashTopology(Supplier<Optional<Placement>> known) {
    this.known = known;
    this.last =
        known
            .get()
            .orElseGet(
                () ->
                    Placement.ofPrimaries(
                        Collections.nCopies(
                            RendezvousAffinityFunction.DFLT_PARTITION_COUNT, "cluster")));
    this.function = new RendezvousAffinityFunction(false, partitions());
  }

  int partitions() {
    return last.owners().size();
  }

  int partition(Object key) {
    return function.partition(key);
  }

  /** As last known: while a client asks anew, after a change of the topology, it knows nothing. */
  Placement placement() {
    known
        .get()
        .filter(placement -> placement.owners().size() == partitions())
        .ifPresent(placement -> last = placement);
    return last;
  }
}
