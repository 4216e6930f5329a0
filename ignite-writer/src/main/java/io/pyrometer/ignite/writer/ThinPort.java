package io.pyrometer.ignite.writer;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCacheConfiguration;
import org.apache.ignite.cluster.ClusterState;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a thin client. Calls block on the writer's own threads: the client's asynchronous
 * calls would be completed by the common pool.
 *
 * <p>Partitions are those that a cache has unless it is given an affinity function or affinity
 * keys, on the primary nodes that a partition-aware client knows; to another client all are of one
 * node. Where a cache has other partitions, lanes and batches are as right, and grouped for
 * nothing.
 */
final class ThinPort implements CachePort {
  private static final long POLL_NANOS = 1_000_000_000;

  private final ClientCache<Object, Object> cache;
  private final ClientCacheConfiguration settings;
  private final Optional<ThinInternals> internals;
  private final boolean straight;
  private final RendezvousAffinityFunction function;
  private Placement placement;
  private volatile @Nullable IllegalStateException refusal;
  private long lastPoll = System.nanoTime();

  /** Sends batches to the nodes that hold their keys, where the client's connections allow it. */
  @SuppressWarnings("unchecked")
  ThinPort(ClientCache<?, ?> cache, Optional<ThinInternals> internals) {
    this.cache = (ClientCache<Object, Object>) cache;
    this.settings = cache.getConfiguration();
    this.internals = internals;
    this.straight = internals.map(ThinInternals::isPartitionAware).orElse(false);
    this.placement =
        internals
            .flatMap(ThinInternals::placement)
            .orElseGet(
                () ->
                    Placement.ofPrimaries(
                        Collections.nCopies(
                            RendezvousAffinityFunction.DFLT_PARTITION_COUNT, "cluster")));
    this.function = new RendezvousAffinityFunction(false, placement.owners().size());
  }

  @Override
  public Optional<Boolean> clientRepeatsWrites() {
    return internals.map(ThinInternals::repeatsWrites);
  }

  @Override
  public int partition(Object key) {
    return function.partition(key);
  }

  /** As last known: while a client asks anew, after a change of the topology, it knows nothing. */
  @Override
  public synchronized Placement placement() {
    checkDeployed();
    placement =
        internals
            .flatMap(ThinInternals::placement)
            .filter(now -> now.owners().size() == placement.owners().size())
            .orElse(placement);
    return placement;
  }

  @Override
  public CacheWriteSynchronizationMode synchronization() {
    return settings.getWriteSynchronizationMode();
  }

  @Override
  public String name() {
    return cache.getName();
  }

  /** A request is sent after all its entries have been read: what fails before was not sent. */
  @Override
  public void send(BatchMap batch) {
    try {
      if (straight) {
        internals.orElseThrow().send(batch);
      } else if (batch.isRemoval()) {
        cache.removeAll(batch.keySet());
      } else {
        cache.putAll(batch);
      }
    } catch (RuntimeException | Error e) {
      if (batch.wasRead()) {
        throw e;
      }
      throw new Fault.FoundException(Fault.Kind.NOT_SENT, e);
    }
  }

  @Override
  public Map<Object, Object> getAll(Set<Object> keys) {
    return cache.withKeepBinary().getAll(keys);
  }

  @Override
  public Object toBinary(Object object) {
    return internals.isPresent() ? internals.get().toBinary(object) : object;
  }

  /** A server refuses calls in an inactive or read-only cluster as if for their keys. */
  @Override
  public Fault read(Throwable error) {
    Fault fault = Fault.ofThin(error);
    return fault.kind() != Fault.Kind.KEYS || isActive()
        ? fault
        : Fault.of(Fault.Kind.PASSING, fault.cause());
  }

  private boolean isActive() {
    try {
      return internals.map(ThinInternals::state).orElse(ClusterState.ACTIVE) == ClusterState.ACTIVE;
    } catch (RuntimeException notConnected) {
      return true;
    }
  }

  @Override
  public boolean locksInOrder() {
    return settings.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL;
  }

  @Override
  public boolean mayRefuseWhole() {
    return true;
  }

  /** Once a second, because it is a call to the cluster. */
  private void checkDeployed() {
    long now = System.nanoTime();
    if (now - lastPoll < POLL_NANOS || refusal != null) {
      return;
    }
    lastPoll = now;
    CacheWriteSynchronizationMode mode = cache.getConfiguration().getWriteSynchronizationMode();
    if (mode != settings.getWriteSynchronizationMode()) {
      refusal =
          new IllegalStateException(
              "cache "
                  + name()
                  + " was destroyed and created again with the write synchronization "
                  + mode
                  + "; open a new writer");
    }
  }

  @Override
  public @Nullable IllegalStateException refusal() {
    return refusal;
  }
}
